import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { newPage } from "#tests/support/browser.ts";
import { installWallet } from "#tests/support/browser-wallet.ts";
import { BIRTH_DATE, newMemberInput } from "#tests/support/form-client.ts";
import { mailTo } from "#tests/support/emails.ts";
import { sharedServer } from "#tests/support/server.ts";
import { fillSignUp, screenshot } from "#tests/support/steps.ts";

const phone = { width: 390, height: 844 };
const enter = (page: Page, name = "Carteira de Teste") =>
  page.getByRole("button", { name: `Entrar com ${name}` }).click();

test(
  "a new wallet becomes an account whose email address is confirmed by a code, and signs in again",
  { timeout: 120_000 },
  async () => {
    const person = newMemberInput("Vito Carteira");
    const page = await newPage(phone);
    const wallet = await installWallet(page);
    await page.goto("/auth/login?to=/explore");
    await page.getByText("Outras formas").click();
    await page.getByRole("link", { name: "Entrar com carteira Ethereum" }).click();
    await screenshot(page, "wallet-390");
    await enter(page);
    await page.getByRole("heading", { name: "Complete o seu perfil" }).waitFor();
    await page.getByLabel("Nome", { exact: true }).fill(person.name);
    await page.getByLabel("Nome de usuário").fill(person.username);
    await page.getByLabel("E-mail").fill(person.email);
    await page.getByLabel("Data de nascimento").fill(BIRTH_DATE);
    await page.getByLabel("Li e aceito").check();
    await page.getByRole("button", { name: "Continuar" }).click();
    await page
      .getByLabel("Código de 6 dígitos")
      .fill((await mailTo(sharedServer().origin, person.email, "criar a sua conta")).code);
    await page.getByRole("button", { name: "Confirmar e criar a conta" }).click();
    await page.waitForURL((url) => url.pathname === "/explore");
    await page.goto("/auth/account/wallets");
    await page.getByText(wallet.address).waitFor();
    await screenshot(page, "wallets-390");
    await page.context().clearCookies();
    await page.goto("/auth/wallet?to=/notifications");
    await enter(page);
    await page.waitForURL((url) => url.pathname === "/notifications");
    expect((await page.context().cookies()).map(({ name }) => name)).toContain(
      "__Host-coreto-session",
    );
  },
);

test(
  "a member adds a wallet by keyboard, signs in with it, and removes it",
  { timeout: 120_000 },
  async () => {
    const person = newMemberInput("Bia Chaves");
    const page = await newPage();
    await installWallet(page, { isOld: true });
    await page.goto("/auth/register");
    await fillSignUp(page, person);
    await page.waitForURL((url) => url.pathname === "/");
    await page.goto("/auth/account/wallets");
    const add = page.getByRole("button", { name: "Ligar Carteira do navegador" });
    await add.focus();
    await page.keyboard.press("Enter");
    await page.getByText("Carteira Ethereum: agora você também entra por aqui.").first().waitFor();
    expect(
      (await mailTo(sharedServer().origin, person.email, "nova forma de entrar")).body,
    ).toContain("Carteira Ethereum");
    await page.context().clearCookies();
    await page.goto("/auth/wallet");
    await enter(page, "Carteira do navegador");
    await page.waitForURL((url) => url.pathname === "/");
    await page.goto("/auth/account/wallets");
    await page.getByRole("link", { name: /^Desligar Carteira Ethereum/ }).click();
    await page.getByRole("button", { name: "Desligar", exact: true }).click();
    await page.getByText("Nenhuma ainda.").waitFor();
  },
);

test("a wallet error is shown, and nobody is signed in", async () => {
  const page = await newPage(phone);
  const { mood } = await installWallet(page);
  await page.goto("/auth/wallet");
  mood.rejects = true;
  await enter(page);
  await page.getByText("O pedido foi recusado na carteira. Nada mudou.").waitFor();
  await screenshot(page, "wallet-rejected-390");
  Object.assign(mood, { rejects: false, chainId: "0x89", refusesSwitch: true });
  await enter(page);
  await page
    .getByText("Mude a carteira para a rede principal do Ethereum e tente de novo.")
    .waitFor();
  Object.assign(mood, { refusesSwitch: false, switchesAccountAfterSigning: true });
  await enter(page);
  await page.getByText("A conta da carteira mudou no meio do caminho.").waitFor();
  expect((await page.context().cookies()).map(({ name }) => name)).not.toContain(
    "__Host-coreto-session",
  );
});

test("a browser without a wallet shows instructions, and so does one without JavaScript", async () => {
  const page = await newPage(phone);
  await page.goto("/auth/wallet");
  await page.getByText("Não encontramos uma carteira neste navegador.").waitFor();
  await page.getByRole("link", { name: "Entrar de outra forma" }).click();
  await page.getByRole("heading", { name: "Entrar", exact: true }).waitFor();
  const plain = await newPage({ ...phone, javaScript: false });
  await plain.goto("/auth/wallet");
  await plain.getByText("Uma carteira conversa com a página por JavaScript.").waitFor();
  await screenshot(plain, "wallet-390-nojs");
  await expect.poll(() => plain.getByRole("button", { name: /^Entrar com/ }).count()).toBe(0);
});
