import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { newPage } from "#tests/support/browser.ts";
import { newcomer, PASSWORD } from "#tests/support/caller.ts";
import { fillSignUp } from "#tests/support/steps.ts";

const NEW_PASSWORD = "outra senha bem comprida";

/** The code and link of the newest mail to somebody whose subject has `words`, read at the local inbox. */
async function mailTo(page: Page, email: string, words: string): Promise<{ code: string; path: string }> {
  const inbox = await (await page.context().request.get("/sandbox")).text();
  const mail = inbox.split("<details>").find((part) => part.includes(words) && part.includes(`para ${email}`)) ?? "";
  return { code: /\b\d{6}\b/.exec(mail)?.[0] ?? "", path: /\/auth\/(?:verify|reset)\/[0-9a-f]{64}/.exec(mail)?.[0] ?? "" };
}

describe.each([
  ["with JavaScript", true],
  ["without JavaScript", false],
])("%s", (_, javaScript) => {
  test("an address is confirmed by its link, and a forgotten password set anew by its code", { timeout: 120_000 }, async () => {
    const person = newcomer("Rita Nunes");
    const page = await newPage({ javaScript, width: 390, height: 844 });
    await page.goto("/auth/register");
    await fillSignUp(page, person);
    await page.getByText(`Boas-vindas ao Coreto, ${person.name}.`).first().waitFor();
    await page.goto("/auth/account");
    await page.getByText("Falta confirmar").waitFor();
    await page.getByRole("link", { name: "Digitar o código" }).click();
    const { code, path } = await mailTo(page, person.email, "é o seu código do Coreto");
    await page.getByLabel("Código de 6 dígitos").fill(code === "000000" ? "000001" : "000000");
    await page.getByRole("button", { name: "Confirmar", exact: true }).click();
    await page.getByText("Código incorreto").waitFor();
    await page.goto(path);
    await page.getByRole("button", { name: "Confirmar e-mail" }).click();
    await page.getByRole("heading", { name: "E-mail confirmado" }).waitFor();
    await page.getByRole("link", { name: "Ir para a conta" }).click();
    await page.getByText("Confirmado", { exact: true }).waitFor();

    const elsewhere = await newPage({ javaScript, width: 390, height: 844 });
    await elsewhere.goto("/auth/login");
    await elsewhere.getByRole("link", { name: "Esqueci minha senha" }).click();
    await elsewhere.getByRole("heading", { name: "Esqueci minha senha" }).waitFor();
    await elsewhere.getByLabel("E-mail").fill(person.email);
    await elsewhere.getByRole("button", { name: "Enviar código" }).click();
    await elsewhere.getByRole("heading", { name: "Nova senha" }).waitFor();
    await expect.poll(async () => (await mailTo(elsewhere, person.email, "criar uma nova senha")).code).toMatch(/^\d{6}$/);
    await elsewhere.getByLabel("Código de 6 dígitos").fill((await mailTo(elsewhere, person.email, "criar uma nova senha")).code);
    await elsewhere.getByLabel("Nova senha").fill("aaaaaaaaaa");
    await elsewhere.getByRole("button", { name: "Criar nova senha" }).click();
    await elsewhere.getByText("A senha é fraca.").waitFor();
    await elsewhere.getByLabel("Nova senha").fill(NEW_PASSWORD);
    await elsewhere.getByRole("button", { name: "Criar nova senha" }).click();
    await elsewhere.getByText("Senha nova criada.").first().waitFor();
    await elsewhere.getByLabel("E-mail ou nome de usuário").fill(person.email);
    await elsewhere.getByLabel("Senha", { exact: true }).fill(PASSWORD);
    await elsewhere.getByRole("button", { name: "Entrar", exact: true }).click();
    await elsewhere.getByText("E-mail, nome de usuário ou senha incorretos.").waitFor();
    await elsewhere.getByLabel("Senha", { exact: true }).fill(NEW_PASSWORD);
    await elsewhere.getByRole("button", { name: "Entrar", exact: true }).click();
    await elsewhere.waitForURL((url) => url.pathname === "/");
  });
});
