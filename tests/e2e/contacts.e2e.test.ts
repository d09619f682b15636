import { describe, expect, test } from "vitest";
import type { Page } from "playwright-core";
import { newPage } from "#tests/support/browser.ts";
import { signUpMember, newMemberInput, PASSWORD } from "#tests/support/form-client.ts";
import { testClock } from "#tests/support/clock.ts";
import { mailTo, textTo } from "#tests/support/emails.ts";
import { picture } from "#tests/support/picture.ts";
import { sharedServer } from "#tests/support/server.ts";
import { signInAsMember, screenshot } from "#tests/support/steps.ts";

const IDENTIFIER = "Telefone, e-mail ou nome de usuário";

/** Returns a mobile number of São Paulo as people write it, and in E.164. */
function phoneOf(last: number): { written: string; phone: string } {
  const digits = String(10_000_000 + (last % 80_000_000));
  return { written: `(11) 9${digits.slice(0, 4)}-${digits.slice(4)}`, phone: `+55119${digits}` };
}

async function enter(page: Page, identifier: string): Promise<void> {
  await page.goto("/auth/login");
  await page.getByLabel(IDENTIFIER).fill(identifier);
  await page.getByLabel("Senha", { exact: true }).fill(PASSWORD);
  await page.getByRole("button", { name: "Entrar", exact: true }).click();
  await page.waitForURL((url) => url.pathname === "/");
}

describe.each([
  ["with JavaScript", true],
  ["without JavaScript", false],
])("%s", (_, javaScript) => {
  const suffix = javaScript ? "" : "-nojs";

  test(
    "a second email address is confirmed, made primary, and signs in",
    { timeout: 180_000 },
    async () => {
      const { origin } = sharedServer();
      const person = await signUpMember(origin, "Rita Nunes");
      const page = await newPage({ javaScript, width: 390, height: 844 });
      await signInAsMember(page, person);
      await page.goto("/auth/account");
      await page.getByRole("link", { name: /^E-mails/ }).click();
      await page.getByRole("heading", { name: "E-mails", level: 1 }).waitFor();
      const second = newMemberInput("Rita Nunes").email;
      await page.getByLabel("Novo e-mail").fill(second);
      await page.getByRole("button", { name: "Enviar código" }).click();
      await page.getByRole("heading", { name: "Confirmar e-mail" }).waitFor();
      // An unconfirmed address does not sign in, and its removal does not say that it did.
      await page.goto("/auth/account/emails");
      await page.getByRole("link", { name: `Remover ${second}` }).click();
      await page
        .getByText("Ele ainda não foi confirmado, e o código enviado deixa de valer.")
        .waitFor();
      await page.goto("/auth/account/emails");
      await page.getByRole("link", { name: `Confirmar ${second}` }).click();
      await page
        .getByLabel("Código de 6 dígitos")
        .fill((await mailTo(origin, second, "é o seu código do Coreto")).code);
      await page.getByRole("button", { name: "Confirmar", exact: true }).click();
      await page.getByText(`${second} está confirmado.`).first().waitFor();
      await screenshot(page, `emails-390${suffix}`);
      await page.getByRole("link", { name: `Tornar principal ${second}` }).click();
      await page.getByRole("button", { name: "Tornar principal" }).click();
      await page.getByText(`${second} é o principal agora.`).first().waitFor();
      expect(
        (await mailTo(origin, person.email, "O e-mail principal da sua conta mudou")).body,
      ).toContain(second);
      await page.getByRole("link", { name: `Remover ${person.email}` }).click();
      await page.getByText("Ele deixa de abrir a sua conta, e pode ser de outra.").waitFor();
      await page.getByRole("button", { name: "Remover", exact: true }).click();
      await page.getByText(`${person.email} foi removido.`).first().waitFor();
      await enter(await newPage({ javaScript }), second);
    },
  );

  test(
    "a phone is confirmed by text message, and signs in with the password and with a code",
    { timeout: 180_000 },
    async () => {
      const { origin } = sharedServer();
      const person = await signUpMember(origin, "Beto Lima");
      const { written, phone } = phoneOf(testClock.now());
      const page = await newPage({ javaScript, width: 390, height: 844 });
      await signInAsMember(page, person);
      await page.goto("/auth/account/phones");
      await page.getByText("Nenhum telefone ainda").waitFor();
      await screenshot(page, `phones-empty-390${suffix}`);
      await page.getByLabel("Novo telefone").fill("(11) 3123-4567");
      await page.getByRole("button", { name: "Enviar código" }).click();
      await page.getByText("Este telefone não recebe mensagens. Use um celular.").waitFor();
      await page.getByLabel("Novo telefone").fill(written);
      await page.getByLabel("Novo telefone").press("Enter");
      await page.getByRole("heading", { name: "Confirmar telefone" }).waitFor();
      await page.getByLabel("Código de 6 dígitos").fill(await textTo(origin, phone));
      await page.getByRole("button", { name: "Confirmar", exact: true }).click();
      await page.getByText(`+55 ${written} está confirmado.`).first().waitFor();
      await page.getByText("Principal", { exact: true }).waitFor();
      await screenshot(page, `phones-390${suffix}`);
      await enter(await newPage({ javaScript }), written);

      const elsewhere = await newPage({ javaScript, width: 390, height: 844 });
      await elsewhere.goto("/auth/login?to=/explore");
      await elsewhere.getByRole("link", { name: "Entrar com um código" }).click();
      await elsewhere.getByRole("heading", { name: "Entrar com um código" }).waitFor();
      await elsewhere.getByLabel(IDENTIFIER).fill(written);
      await elsewhere.getByRole("button", { name: "Enviar código" }).click();
      await elsewhere.getByRole("heading", { name: "Digite o código" }).waitFor();
      await screenshot(elsewhere, `code-entry-390${suffix}`);
      await elsewhere
        .getByLabel("Código de 6 dígitos")
        .fill(await textTo(origin, phone, "para entrar"));
      await elsewhere.getByRole("button", { name: "Entrar", exact: true }).click();
      await elsewhere.waitForURL("**/explore");
      expect((await elsewhere.context().cookies()).map(({ name }) => name)).toContain(
        "__Host-coreto-session",
      );
    },
  );

  test(
    "name, picture and username change, and the old address redirects to the page",
    { timeout: 180_000 },
    async () => {
      const { origin } = sharedServer();
      const person = await signUpMember(origin, "Dora Reis");
      const page = await newPage({ javaScript, width: 390, height: 844 });
      await signInAsMember(page, person);
      await page.goto("/auth/account");
      await page.getByRole("link", { name: /^Nome e foto/ }).click();
      await page.getByRole("heading", { name: "Nome e foto", level: 1 }).waitFor();
      await page.getByLabel("Sobrenome").fill("Reis Amaral");
      await page.getByLabel("Foto de perfil").setInputFiles({
        name: "nota.png",
        mimeType: "image/png",
        buffer: Buffer.from("não é imagem"),
      });
      await page.getByRole("button", { name: "Salvar" }).click();
      await page.getByText("Envie uma imagem JPG").waitFor();
      await page
        .getByLabel("Foto de perfil")
        .setInputFiles({ name: "foto.png", mimeType: "image/png", buffer: picture(7, 64, 64) });
      await page.getByRole("button", { name: "Salvar" }).click();
      await page.getByText("Perfil salvo.").first().waitFor();
      await page.getByRole("main").getByText("Dora Reis Amaral").waitFor();
      await screenshot(page, `account-profile-390${suffix}`);
      await page.getByRole("link", { name: "Trocar nome de usuário" }).click();
      const username = `${person.username}-novo`;
      await page.getByLabel("Novo nome de usuário").fill(username);
      await page.getByRole("button", { name: "Trocar", exact: true }).click();
      await page.getByText(`Agora você é @${username}.`).first().waitFor();
      await page.goto(`/space/${person.username}/public`);
      expect(new URL(page.url()).pathname).toBe(`/space/${username}/public`);
      await page.goto("/auth/account/profile");
      await page.getByRole("link", { name: "Remover foto" }).click();
      await page.getByRole("button", { name: "Remover", exact: true }).click();
      await page.getByText("Foto removida.").first().waitFor();
      await enter(await newPage({ javaScript }), username);
    },
  );
});
