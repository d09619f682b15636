import { base32 } from "@better-auth/utils/base32";
import { createOTP } from "@better-auth/utils/otp";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { newPage } from "#tests/support/browser.ts";
import { newMemberInput, PASSWORD } from "#tests/support/form-client.ts";
import type { NewMemberInput } from "#tests/support/form-client.ts";
import { testClock } from "#tests/support/clock.ts";
import { sharedServer } from "#tests/support/server.ts";
import { fillSignUp, screenshot } from "#tests/support/steps.ts";

const half = (steps: number) => Math.floor(testClock.now() / 30_000) + steps;
const code = (key: string, steps = 0) =>
  createOTP(new TextDecoder().decode(base32.decode(key))).hotp(half(steps));

async function member(page: Page, name: string): Promise<NewMemberInput> {
  const person = newMemberInput(name);
  await page.goto("/auth/register");
  await fillSignUp(page, person);
  await page.getByText(`Boas-vindas ao Coreto, ${person.name}.`).first().waitFor();
  return person;
}

const me = (key: string) =>
  fetch(`${sharedServer().origin}/api/v1/users/me`, {
    headers: { Authorization: `Bearer ${key}` },
  });

describe.each([
  { how: "with JavaScript at a desk", javaScript: true, width: 1280 },
  { how: "without JavaScript on a phone", javaScript: false, width: 390 },
])("$how", ({ javaScript, width }) => {
  const suffix = `${width}${javaScript ? "" : "-nojs"}`;

  test("an API key is created, shown once, used and revoked", async () => {
    const page = await newPage({ javaScript, width, height: 844 });
    const person = await member(page, "Caio Programador");
    await page.goto("/auth/account");
    await page.getByRole("link", { name: /Chaves de API/ }).click();
    await page.getByRole("heading", { name: "Nenhuma chave ainda" }).waitFor();
    await page.getByRole("link", { name: "Criar chave" }).click();
    await page.getByRole("button", { name: "Criar chave" }).click();
    await page.getByText("Escolha pelo menos uma permissão.").waitFor();
    await page.getByLabel("Nome", { exact: true }).fill("Meu leitor");
    await page.getByLabel("Expira em").selectOption("7d");
    await page.getByLabel("Ler o seu perfil").check();
    await screenshot(page, `key-create-${suffix}`);
    await page.getByRole("button", { name: "Criar chave" }).click();
    const key = (await page.getByLabel("Chave de API").textContent()) ?? "";
    expect(key).toMatch(/^coreto_[0-9a-f]{40}$/);
    await screenshot(page, `key-made-${suffix}`);
    expect(await (await me(key)).json()).toMatchObject({ username: person.username });

    await page.getByRole("link", { name: "Já guardei" }).click();
    await page.getByRole("heading", { name: "Meu leitor" }).waitFor();
    await page.getByText("último uso agora").waitFor();
    expect(await page.content()).not.toContain(key);
    await screenshot(page, `keys-${suffix}`);
    await page.getByRole("link", { name: "Revogar Meu leitor" }).click();
    await page.getByRole("button", { name: "Revogar chave" }).click();
    await page.getByRole("heading", { name: "Nenhuma chave ainda" }).waitFor();
    expect((await me(key)).status).toBe(401);
  });

  test("two-factor authentication is turned on by QR code and required at the next sign-in", async () => {
    const page = await newPage({ javaScript, width, height: 844 });
    const person = await member(page, "Bia Cuidadosa");
    await page.goto("/auth/account");
    await page.getByRole("link", { name: /Verificação em duas etapas/ }).click();
    await page.getByLabel("Sua senha").fill(PASSWORD);
    await page.getByRole("button", { name: "Ligar" }).click();
    await page.getByRole("img", { name: "QR code para o aplicativo de autenticação" }).waitFor();
    const key = (await page.getByLabel("Chave do aplicativo").textContent()) ?? "";
    await screenshot(page, `second-factor-qr-${suffix}`);
    await page.getByLabel("Código de 6 dígitos").fill(await code(key));
    await page.getByRole("button", { name: "Ligar" }).click();
    const backupCodes = ((await page.getByLabel("Códigos de reserva").textContent()) ?? "").split(
      "\n",
    );
    expect(backupCodes).toHaveLength(10);
    await screenshot(page, `backup-codes-${suffix}`);
    await page.getByRole("link", { name: "Já guardei" }).click();
    await page.getByText("Ligada", { exact: true }).waitFor();
    await screenshot(page, `second-factor-on-${suffix}`);

    const elsewhere = await newPage({ javaScript, width, height: 844 });
    await enterPassword(elsewhere, person);
    await elsewhere.getByLabel("Código", { exact: true }).fill("000 000");
    await elsewhere.getByRole("button", { name: "Entrar" }).click();
    await elsewhere.getByText("Código incorreto").waitFor();
    await screenshot(elsewhere, `second-factor-${suffix}`);
    await elsewhere.getByLabel("Código", { exact: true }).fill(await code(key, 1));
    await elsewhere.getByRole("button", { name: "Entrar" }).click();
    await elsewhere.waitForURL("**/settings/connections");

    const lost = await newPage({ javaScript, width, height: 844 });
    await enterPassword(lost, person);
    await lost.getByLabel("Código", { exact: true }).fill(backupCodes[0] ?? "");
    await lost.getByRole("button", { name: "Entrar" }).click();
    await lost.waitForURL("**/settings/connections");
  });
});

async function enterPassword(page: Page, person: NewMemberInput): Promise<void> {
  await page.goto("/auth/login?to=%2Fsettings%2Fconnections");
  await page.getByLabel("E-mail ou nome de usuário").fill(person.email);
  await page.getByLabel("Senha", { exact: true }).fill(PASSWORD);
  await page.getByRole("button", { name: "Entrar", exact: true }).click();
  await page.waitForURL("**/auth/second-factor?**");
}

test("a passkey is created, signs in on its own, and is removed", async () => {
  const page = await newPage();
  await member(page, "Davi Chaveiro");
  const authenticator = await withAuthenticator(page);
  await page.goto("/auth/account/passkeys");
  await page.getByLabel("Nome", { exact: true }).fill("Notebook");
  await page.getByLabel("Sua senha").fill("errada demais");
  await page.getByRole("button", { name: "Criar chave de acesso" }).click();
  await page.getByText(/[Ss]enha incorreta/).waitFor();
  await expect.poll(() => authenticator.count()).toBe(0);
  await page.getByLabel("Sua senha").fill(PASSWORD);
  await page.getByRole("button", { name: "Criar chave de acesso" }).click();
  await page.getByText("nunca usada").waitFor();
  await expect.poll(() => authenticator.count()).toBe(1);
  await screenshot(page, "passkeys-1280");

  await page.goto("/auth/logout");
  await page.getByRole("main").getByRole("button", { name: "Sair" }).click();
  await page.waitForURL("**/auth/login");
  await page.goto("/auth/login?to=%2Fauth%2Faccount%2Fpasskeys");
  await screenshot(page, "login-passkey-1280");
  await page.getByRole("button", { name: "Entrar com chave de acesso" }).click();
  await page.waitForURL("**/auth/account/passkeys");
  await page.getByText(/último uso/).waitFor();

  await page.getByRole("link", { name: "Remover Notebook" }).click();
  await page.waitForURL("**/removal");
  await page.getByLabel("Sua senha").fill(PASSWORD);
  await page.getByRole("button", { name: "Remover" }).click();
  await page.getByText("Chave de acesso removida.").first().waitFor();
  await page.goto("/auth/logout");
  await page.getByRole("main").getByRole("button", { name: "Sair" }).click();
  await page.waitForURL("**/auth/login");
  await page.getByRole("button", { name: "Entrar com chave de acesso" }).click();
  await page.getByText("Não reconhecemos esta chave de acesso.").waitFor();
  await screenshot(page, "passkey-refused-1280");
});

/** Adds Chromium's virtual authenticator: a real ceremony that always passes user verification. */
async function withAuthenticator(page: Page): Promise<{ count(): Promise<number> }> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("WebAuthn.enable");
  const { authenticatorId } = await devtools.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return {
    count: async () =>
      (await devtools.send("WebAuthn.getCredentials", { authenticatorId })).credentials.length,
  };
}
