import { describe, expect, test } from "vitest";
import { newPage } from "#tests/support/browser.ts";
import { newMemberInput, PASSWORD } from "#tests/support/form-client.ts";
import { mailTo } from "#tests/support/emails.ts";
import { sharedServer } from "#tests/support/server.ts";
import { hydrated, fillSignUpForm, screenshot } from "#tests/support/steps.ts";

const NEW_PASSWORD = "outra senha bem comprida";

describe.each([
  ["with JavaScript", true],
  ["without JavaScript", false],
])("%s", (_, javaScript) => {
  test(
    "an account is confirmed by the link of its email, and a forgotten password is reset by a code",
    { timeout: 120_000 },
    async () => {
      const { origin } = sharedServer();
      const person = newMemberInput("Rita Nunes");
      const page = await newPage({ javaScript, width: 390, height: 844 });
      await page.goto("/auth/register?to=/explore");
      await fillSignUpForm(page, person);
      await page.getByRole("button", { name: "Criar conta" }).click();
      await page.getByRole("heading", { name: "Confirme o seu e-mail" }).waitFor();
      await screenshot(page, `register-code-390${javaScript ? "" : "-nojs"}`);
      const { code, path } = await mailTo(origin, person.email, "criar a sua conta");
      await page.getByLabel("Código de 6 dígitos").fill(code === "000000" ? "000001" : "000000");
      await page.getByRole("button", { name: "Confirmar e criar a conta" }).click();
      await page.getByText("Código incorreto").waitFor();
      await page.goto(path);
      await page.getByRole("heading", { name: "Confirmar este e-mail?" }).waitFor();
      await page.getByRole("button", { name: "Confirmar e criar a conta" }).click();
      await page.waitForURL("**/explore");
      await page.getByText(`Boas-vindas ao Coreto, ${person.name}.`).first().waitFor();

      const elsewhere = await newPage({ javaScript, width: 390, height: 844 });
      await elsewhere.goto("/auth/login");
      if (javaScript) await hydrated(elsewhere);
      await elsewhere.getByRole("link", { name: "Esqueci minha senha" }).click();
      await elsewhere.getByRole("heading", { name: "Esqueci minha senha" }).waitFor();
      await elsewhere.getByLabel("E-mail").fill(person.email);
      await elsewhere.getByRole("button", { name: "Enviar código" }).click();
      await elsewhere.getByRole("heading", { name: "Nova senha" }).waitFor();
      await elsewhere
        .getByLabel("Código de 6 dígitos")
        .fill((await mailTo(origin, person.email, "criar uma nova senha")).code);
      await elsewhere.getByLabel("Nova senha").fill("aaaaaaaaaa");
      await elsewhere.getByRole("button", { name: "Criar nova senha" }).click();
      await elsewhere.getByText("A senha é fraca.").waitFor();
      await elsewhere.getByLabel("Nova senha").fill(NEW_PASSWORD);
      await elsewhere.getByRole("button", { name: "Criar nova senha" }).click();
      await elsewhere.getByText("Senha nova criada.").first().waitFor();
      await elsewhere.getByLabel("E-mail ou nome de usuário").fill(person.email);
      await elsewhere.getByLabel("Senha", { exact: true }).fill(PASSWORD);
      await elsewhere.getByRole("button", { name: "Entrar", exact: true }).click();
      await elsewhere.getByText("Telefone, e-mail, nome de usuário ou senha incorretos.").waitFor();
      await elsewhere.getByLabel("Senha", { exact: true }).fill(NEW_PASSWORD);
      await elsewhere.getByRole("button", { name: "Entrar", exact: true }).click();
      await elsewhere.waitForURL((url) => url.pathname === "/");
      expect((await elsewhere.context().cookies()).map(({ name }) => name)).toContain(
        "__Host-coreto-session",
      );
    },
  );
});
