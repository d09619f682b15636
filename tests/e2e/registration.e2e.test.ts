import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { RunningProduct } from "#scripts/local-product.ts";
import { newPage } from "#tests/support/browser.ts";
import { BIRTH_DATE, signUpMember, newMemberInput, PASSWORD } from "#tests/support/form-client.ts";
import type { NewMemberInput } from "#tests/support/form-client.ts";
import { testClock } from "#tests/support/clock.ts";
import { mailTo } from "#tests/support/emails.ts";
import { ownProduct } from "#tests/support/own-product.ts";
import {
  signInAsMember,
  hydrated,
  fillSignUp,
  fillSignUpForm,
  screenshot,
} from "#tests/support/steps.ts";

let coreto: RunningProduct;

beforeAll(async () => {
  coreto = await ownProduct();
});

afterAll(() => coreto.stop());

const codeFor = async ({ email }: NewMemberInput, read = 0) =>
  (await mailTo(coreto.origin, email, "criar a sua conta", read)).code;

async function typeCode(page: Page, person: NewMemberInput, read = 0): Promise<void> {
  await page.getByLabel("Código de 6 dígitos").fill(await codeFor(person, read));
  await page.getByRole("button", { name: "Confirmar e criar a conta" }).click();
}

describe.each([
  { how: "with JavaScript at a desk", javaScript: true, width: 1440 },
  { how: "without JavaScript on a phone", javaScript: false, width: 390 },
])("$how", ({ javaScript, width }) => {
  const suffix = `${width}${javaScript ? "" : "-nojs"}`;
  const open = () => newPage({ origin: coreto.origin, javaScript, width, height: 844 });

  test("shows each error beside its field and keeps what was typed", async () => {
    const page = await open();
    const person = newMemberInput("Rita Nunes");
    await page.goto("/auth/register");
    await fillSignUpForm(page, { ...person, username: "c0reto" });
    await page.getByLabel("Data de nascimento").fill("31/02/1990");
    await page.getByRole("button", { name: "Criar conta" }).click();
    await page.getByText("Este nome de usuário não está disponível.").waitFor();
    await page.getByText("31/02/1990 não existe. Confira a data").waitFor();
    await screenshot(page, `register-refused-${suffix}`);
    await expect.poll(() => page.getByLabel("E-mail").inputValue()).toBe(person.email);
    await expect.poll(() => page.getByLabel("Li e aceito").isChecked()).toBe(true);
    await page.getByLabel("Nome de usuário").fill(person.username);
    await page
      .getByLabel("Data de nascimento")
      .fill(`31/12/${testClock.date().getFullYear() - 15}`);
    await page.getByLabel("Senha", { exact: true }).fill(PASSWORD);
    await page.getByRole("button", { name: "Criar conta" }).click();
    await page.getByText("O Coreto é para quem já fez 16 anos.").waitFor();
  });

  test("reveals that an email address has an account only after its code, with ways to continue", async () => {
    const owner = await signUpMember(coreto.origin, "Dona Conta");
    const page = await open();
    const person = { ...newMemberInput("Dona Conta"), email: owner.email };
    await page.goto("/auth/register?to=/notifications");
    await fillSignUpForm(page, person);
    await page.getByRole("button", { name: "Criar conta" }).click();
    await page.getByRole("heading", { name: "Confirme o seu e-mail" }).waitFor();
    await typeCode(page, person, 1);
    await page.getByRole("heading", { name: "Este e-mail já tem uma conta" }).waitFor();
    await screenshot(page, `register-taken-${suffix}`);
    await page.getByRole("link", { name: "Usar outro e-mail" }).click();
    await page.getByRole("heading", { name: "Complete o seu perfil" }).waitFor();
    const other = newMemberInput("Dona Conta");
    await expect.poll(() => page.getByLabel("Nome de usuário").inputValue()).toBe(person.username);
    await page.getByLabel("E-mail").fill(other.email);
    await screenshot(page, `register-profile-${suffix}`);
    await page.getByRole("button", { name: "Continuar" }).click();
    await page.getByRole("heading", { name: "Confirme o seu e-mail" }).waitFor();
    await typeCode(page, other);
    await page.waitForURL("**/notifications");
  });

  test("asks only for another username when the chosen one was taken meanwhile", async () => {
    const [page, faster] = [await open(), await open()];
    const [slow, fast] = [newMemberInput("Vagarosa Lima"), newMemberInput("Veloz Lima")];
    await page.goto("/auth/register");
    await fillSignUpForm(page, slow);
    await page.getByRole("button", { name: "Criar conta" }).click();
    await page.getByRole("heading", { name: "Confirme o seu e-mail" }).waitFor();
    await faster.goto("/auth/register");
    await fillSignUp(faster, { ...fast, username: slow.username });
    await faster.getByText("Boas-vindas ao Coreto").first().waitFor();
    await typeCode(page, slow);
    await page.getByText("Este nome de usuário já está em uso.").waitFor();
    await expect.poll(() => page.getByLabel("Data de nascimento").inputValue()).toBe(BIRTH_DATE);
    await screenshot(page, `register-username-taken-${suffix}`);
    await page.getByLabel("Nome de usuário").fill(`${slow.username}-2`);
    await page.getByRole("button", { name: "Continuar" }).click();
    await page.getByText("Boas-vindas ao Coreto").first().waitFor();
  });

  test("keeps the typed fields while sessions are unavailable, and sends them afterwards", async () => {
    const page = await open();
    await signInAsMember(page, await signUpMember(coreto.origin, "Autora Silva"));
    await page.goto("/space/create");
    await page.getByLabel("O que você faz").fill("Rabeca e forró");
    await page.getByLabel("Sobre você").fill("Toco rabeca desde menina.");
    await page.getByLabel("Cidade").fill("Recife, PE");
    const db = await coreto.miniflare.getD1Database("DB", "app");
    // Within its thirty seconds the session data cookie is trusted without the database.
    await page.context().clearCookies({ name: "__Host-coreto-session-data" });
    await page.context().clearCookies({ name: "__Host-coreto-member" });
    await db.prepare("ALTER TABLE auth_sessions RENAME TO auth_sessions_away").run();
    try {
      await page.getByRole("button", { name: "Abrir minha página" }).click();
      await page.getByText("Não conseguimos confirmar a sua conta agora.").waitFor();
      const kept = javaScript
        ? page.getByLabel("Sobre você")
        : page.getByRole("textbox").filter({ hasText: "Toco rabeca desde menina." });
      await expect.poll(() => kept.inputValue()).toBe("Toco rabeca desde menina.");
      await screenshot(page, `unheard-${suffix}`);
      const other = await open();
      await other.goto("/terms");
      await other.getByRole("heading", { name: "Termos de uso" }).waitFor();
      await other.context().close();
    } finally {
      await db.prepare("ALTER TABLE auth_sessions_away RENAME TO auth_sessions").run();
    }
    await page
      .getByRole("button", { name: javaScript ? "Abrir minha página" : "Enviar de novo" })
      .click();
    await page.waitForURL("**/me/first-steps/photo");
  });
});

test("a visitor signs up by keyboard alone, and lands on the requested page", async () => {
  const page = await newPage({ origin: coreto.origin });
  const person = newMemberInput("Teclas Souza");
  await page.goto("/auth/register?to=/explore");
  await hydrated(page);
  await page.getByLabel("Nome", { exact: true }).focus();
  for (const text of [person.name, person.username, person.email, PASSWORD, BIRTH_DATE]) {
    await page.keyboard.type(text);
    await page.keyboard.press("Tab");
  }
  await page.keyboard.press("Space");
  await expect.poll(() => page.getByLabel("Li e aceito").isChecked()).toBe(true);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Confirme o seu e-mail" }).waitFor();
  for (let presses = 0; presses < 20; presses += 1) {
    if (
      await page
        .getByLabel("Código de 6 dígitos")
        .evaluate((field) => field === document.activeElement)
    )
      break;
    await page.keyboard.press("Tab");
  }
  await page.keyboard.type(await codeFor(person));
  await page.keyboard.press("Enter");
  await page.waitForURL("**/explore");
});
