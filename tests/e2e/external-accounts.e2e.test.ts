import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { RunningProduct } from "#scripts/local-product.ts";
import { freePortPair } from "#scripts/ports.ts";
import { newPage, signIn } from "#tests/support/browser.ts";
import { BIRTH_DATE, newMemberInput, PASSWORD } from "#tests/support/form-client.ts";
import type { NewMemberInput } from "#tests/support/form-client.ts";
import { mailTo } from "#tests/support/emails.ts";
import { ownProduct } from "#tests/support/own-product.ts";
import { realOidc } from "#tests/support/real-oidc.ts";
import type { RealOidc } from "#tests/support/real-oidc.ts";
import { fillSignUp, screenshot } from "#tests/support/steps.ts";

let coreto: RunningProduct;
let oidc: RealOidc;

beforeAll(async () => {
  const [port, outsidePort, nobodysPort] = [
    await freePortPair(),
    await freePortPair(),
    await freePortPair(),
  ];
  oidc = await realOidc(outsidePort, `http://localhost:${port}`);
  const away = {
    OIDC_AWAY_ISSUER: `http://127.0.0.1:${nobodysPort}`,
    OIDC_AWAY_CLIENT_ID: "coreto",
    OIDC_AWAY_CLIENT_SECRET: "a secret of nobody's",
    OIDC_AWAY_NAME: "Fora do Ar",
  };
  coreto = await ownProduct(
    { ...oidc.env, ...away, OIDC_PROVIDERS: `${oidc.env.OIDC_PROVIDERS},away` },
    port,
  );
}, 240_000);

afterAll(async () => {
  await coreto.stop();
  await oidc.stop();
});

const open = (javaScript: boolean): Promise<Page> =>
  newPage({ javaScript, width: 390, height: 844, origin: coreto.origin });

const sessionsOf = async (page: Page) =>
  (await page.context().cookies()).filter(({ name }) => name === "__Host-coreto-session");

/** Signs in and agrees on the pages of the external provider. */
async function agree(page: Page, email: string): Promise<void> {
  await page.waitForURL(`${oidc.issuer}/**`);
  await page.locator("input[name=login]").fill(email);
  await page.locator("input[name=password]").fill("qualquer uma");
  await page.getByRole("button", { name: "Sign-in" }).click();
  await page.getByRole("button", { name: "Continue" }).click();
}

async function finishProfile(page: Page, person: NewMemberInput): Promise<void> {
  await page.getByRole("heading", { name: "Complete o seu perfil" }).waitFor();
  await expect
    .poll(() => page.getByLabel("Nome", { exact: true }).inputValue())
    .toBe("Lia de Fora");
  await page.getByLabel("Nome de usuário").fill(person.username);
  await page.getByLabel("Data de nascimento").fill(BIRTH_DATE);
  await page.getByLabel("Li e aceito").check();
  await page.getByRole("button", { name: "Continuar" }).click();
  await page.waitForURL((url) => url.pathname === "/explore");
}

async function signedUp(page: Page, person: NewMemberInput): Promise<void> {
  await page.goto("/auth/register");
  await fillSignUp(page, person);
  await page.waitForURL((url) => url.pathname === "/");
}

describe.each([
  ["with JavaScript", true],
  ["without JavaScript", false],
])("%s", (_, javaScript) => {
  const suffix = `390${javaScript ? "" : "-nojs"}`;

  test(
    "a new member comes from an external account, completes the profile, and signs in with one click next time",
    { timeout: 120_000 },
    async () => {
      const person = newMemberInput("Lia");
      const page = await open(javaScript);
      await page.goto("/auth/login?to=/explore");
      await screenshot(page, `outside-login-${suffix}`);
      await page.getByRole("button", { name: "Entrar com Empresa" }).click();
      await agree(page, person.email);
      await finishProfile(page, person);

      const elsewhere = await open(javaScript);
      await elsewhere.goto("/auth/register?to=/notifications");
      await elsewhere.getByRole("button", { name: "Entrar com Empresa" }).click();
      await agree(elsewhere, person.email);
      await elsewhere.waitForURL((url) => url.pathname === "/notifications");

      await page.goto("/auth/account/connections");
      await page.getByText(person.email).waitFor();
      await page.getByRole("link", { name: /^Desligar Empresa/ }).click();
      await page.getByRole("button", { name: "Desligar", exact: true }).click();
      await page.getByText("Esta é a sua única forma de entrar").waitFor();
      await screenshot(page, `outside-last-way-${suffix}`);
      await page.getByRole("link", { name: "Criar senha" }).click();
      await page.getByLabel("Nova senha", { exact: true }).fill(PASSWORD);
      await page.getByLabel("Repita a nova senha").fill(PASSWORD);
      await page.getByRole("button", { name: "Criar senha" }).click();
      await page.getByText("Senha criada.").first().waitFor();
      const byPassword = await open(javaScript);
      await signIn(byPassword, { login: person.email, password: PASSWORD });
      expect(new URL(byPassword.url()).pathname).toBe("/");
    },
  );

  test(
    "an email address that has an account is linked only after its member signs in and agrees",
    { timeout: 120_000 },
    async () => {
      const person = newMemberInput("Rui Alves");
      await signedUp(await open(javaScript), person);
      const page = await open(javaScript);
      await page.goto("/auth/login");
      await page.getByRole("button", { name: "Entrar com Empresa" }).click();
      await agree(page, person.email);
      await page.getByRole("heading", { name: "Você já tem uma conta" }).waitFor();
      await screenshot(page, `outside-taken-${suffix}`);
      await page.getByRole("link", { name: "Entrar para ligar Empresa" }).click();
      await page.getByLabel("E-mail ou nome de usuário").fill(person.email);
      await page.getByLabel("Senha", { exact: true }).fill(PASSWORD);
      await page.getByRole("button", { name: "Entrar", exact: true }).click();
      await page.getByRole("heading", { name: "Ligar Empresa à sua conta?" }).waitFor();
      await screenshot(page, `outside-offer-${suffix}`);
      await page.getByRole("button", { name: "Ligar Empresa" }).click();
      await page.getByText("Empresa: agora você também entra por aqui.").first().waitFor();
      await screenshot(page, `outside-connections-${suffix}`);
      expect((await mailTo(coreto.origin, person.email, "nova forma de entrar")).body).toContain(
        "desligue agora",
      );
      await page.getByRole("link", { name: /^Desligar Empresa/ }).click();
      await page.getByRole("button", { name: "Desligar", exact: true }).click();
      await page.getByText("Empresa: já não abre a sua conta.").first().waitFor();
      await page.goto("/settings/connections");
      await page.getByText("Nenhuma. Você entra com o que criou aqui no Coreto.").waitFor();
      await page.getByRole("link", { name: "Ligar uma conta" }).click();
      await page.getByRole("button", { name: "Ligar Empresa" }).click();
      await page.getByRole("link", { name: `Desligar Empresa ${person.email}` }).waitFor();
    },
  );

  test("a refusal at the provider and a reused answer show an error and lead back", async () => {
    const page = await open(javaScript);
    await page.goto("/auth/login");
    await page.getByRole("button", { name: "Entrar com Empresa" }).click();
    await page.getByRole("link", { name: "Cancel" }).click();
    await page.getByText("O acesso à sua outra conta não foi concedido.").waitFor();
    await screenshot(page, `outside-denied-${suffix}`);
    await page.reload();
    await page.getByText("Esta ida à outra conta já terminou ou não começou aqui.").waitFor();
    await page.getByRole("link", { name: "Voltar" }).click();
    await page.getByRole("heading", { name: "Entrar", exact: true }).waitFor();
    expect(await sessionsOf(page)).toEqual([]);
  });
});

test("an unreachable external provider shows a page with another way to sign in", async () => {
  const page = await open(true);
  await page.goto("/auth/login");
  await page.getByRole("button", { name: "Entrar com Fora do Ar" }).click();
  await page.getByText("O serviço da outra conta não respondeu.").waitFor();
  await page.getByRole("link", { name: "Voltar" }).click();
  await page.getByRole("heading", { name: "Entrar", exact: true }).waitFor();
  expect(await sessionsOf(page)).toEqual([]);
});
