import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  clerkProduct,
  expectNothingRefused,
  identifier,
  password,
  signIn,
} from "#tests/support/clerk/product.ts";
import type { ClerkProduct } from "#tests/support/clerk/product.ts";
import { CODE } from "#tests/support/clerk/frontend-api.ts";
import { signInJson, verificationJson } from "#tests/support/clerk/json.ts";

let product: ClerkProduct;

beforeAll(async () => {
  product = await clerkProduct();
}, 240_000);

afterAll(() => product.stop());

beforeEach(() => {
  Object.assign(product.clerk, {
    isDown: false,
    template: "production",
    tokenSeconds: 60,
    nextSignIn: null,
  });
  product.clerk.calls.length = 0;
  product.complaints.length = 0;
});

// Clerk's screens, among them the field of a code, run under the policy without "unsafe-inline".
afterEach(() => expectNothingRefused(product));

const SHOWN = { timeout: 60_000 };
const codeField = (page: Page) => page.locator("input[autocomplete=one-time-code]");
const problem = (page: Page) =>
  page.locator(
    ".cl-formFieldErrorText:visible, .cl-otpCodeFieldErrorText:visible, .cl-alertText:visible",
  );

describe("sign-up and sign-in", () => {
  test("an account is created with an email code and exists here at once", async () => {
    const person = product.newcomer("Nina");
    const page = await product.newPage();
    await page.goto("/auth/register?to=/explore");
    await page.locator("input[name=username]").fill(person.username);
    await page.locator("input[name=emailAddress]").fill(person.email);
    await password(page).fill(person.password);
    await page.keyboard.press("Enter");
    await codeField(page).fill(CODE);
    await page.waitForURL("**/auth/register/profile?to=%2Fexplore");
    await page.getByLabel("Data de nascimento").fill("31/12/1990");
    await page.getByLabel(/Li e aceito/).press("Space");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/explore");
    await expect
      .poll(() => page.locator("body").innerText(), SHOWN)
      .toContain(`@${person.username}`);
  });

  test("a password opens the requested page, and a member who is already signed in is led on", async () => {
    const page = await product.newPage();
    await signIn(page, await product.member());
    await page.goto("/auth/login?to=/explore");
    await page.waitForURL("**/explore");
    await page.goto("/auth/register");
    await page.waitForURL((url) => url.pathname === "/");
    await page.getByText("Você já está conectado.").first().waitFor();
    expect(product.clerk.calls.filter((call) => call === "POST /client/sign_ins")).toHaveLength(1);
  });

  test("sign-in never redirects to another site", async () => {
    const person = await product.member();
    const page = await product.newPage();
    await page.goto(`/auth/login?to=${encodeURIComponent("https://evil.test/")}`);
    await identifier(page).fill(person.username);
    await page.keyboard.press("Enter");
    await password(page).fill(person.password);
    await page.keyboard.press("Enter");
    await page.waitForURL("https://app.coreto.test/");
    await expect
      .poll(() => page.getByRole("link", { name: "Notificações" }).first().isVisible())
      .toBe(true);
  });

  test("an email code signs in without a password, and a wrong code shows an error", async () => {
    const person = await product.member();
    const page = await product.newPage({ width: 390 });
    await page.goto("/auth/login?to=/explore");
    await identifier(page).fill(person.email);
    await page.keyboard.press("Enter");
    await page.getByRole("link", { name: "Utilize outro método" }).click();
    await page.getByRole("button", { name: /código/i }).click();
    await codeField(page).fill("000000");
    await problem(page).waitFor();
    await expect.poll(() => problem(page).innerText()).toBe("Código incorreto");
    await codeField(page).fill(CODE);
    await page.waitForURL("**/explore");
  });
});

describe("Clerk errors are shown in the product's Portuguese", () => {
  const AT_IDENTIFIER: [code: string, param: string | undefined, text: string][] = [
    ["form_param_nil", "identifier", "Campo obrigatório"],
    ["form_param_format_invalid", "identifier", "Identificador inválido."],
    ["form_identifier_not_found", "identifier", "Não foi possível encontrar o usuário."],
    ["verification_expired", undefined, "Esta verificação expirou. Você deve criar uma nova."],
    [
      "verification_failed",
      undefined,
      "Foram tentativas erradas demais. Tente de novo com este ou com outro método.",
    ],
    ["verification_not_sent", undefined, "Envie um código antes de verificar."],
    ["too_many_requests", undefined, "Muitas solicitações. Por favor, tente novamente em breve."],
    ["oauth_access_denied", undefined, "Você não autorizou o acesso à sua conta do Google."],
    [
      "captcha_invalid",
      undefined,
      "Não foi possível se inscrever devido a falhas nas validações de segurança. Por favor, atualize a página para tentar novamente ou entre em contato com o suporte para obter mais ajuda.",
    ],
    [
      "not_allowed_access",
      undefined,
      "O endereço de e-mail ou número de telefone não é permitido para registro. Isso pode ser devido ao uso de '+', '=', '#' ou '.' no endereço de e-mail, o uso de um domínio associado a um serviço de e-mail temporário ou uma exclusão explícita.",
    ],
    [
      "user_locked",
      undefined,
      "Foram tentativas erradas demais. A conta ficou fechada por um tempo; tente de novo mais tarde.",
    ],
  ];

  test("for the identifier", async () => {
    const person = product.clerk.addPerson(product.newcomer());
    const page = await product.newPage();
    await page.goto("/auth/login");
    for (const [code, param, text] of AT_IDENTIFIER) {
      product.clerk.refuseNext(/^\/client\/sign_ins/, {
        code,
        message: "in English",
        ...(param ? { meta: { param_name: param } } : {}),
      });
      await identifier(page).fill(person.email);
      await page.keyboard.press("Enter");
      await expect.poll(() => problem(page).allInnerTexts(), SHOWN).toContain(text);
    }
  });

  const AT_SIGN_UP: [code: string, param: string, text: string][] = [
    ["form_identifier_exists", "email_address", "E-mail já está em uso. Por favor, tente outro."],
    [
      "form_identifier_exists",
      "username",
      "Nome de usuário já está em uso. Por favor, tente outro.",
    ],
    [
      "form_password_pwned",
      "password",
      "Esta senha foi comprometida e não pode ser usada, por favor, tente outra senha.",
    ],
    ["form_password_length_too_short", "password", "Sua senha deve conter 8 ou mais caracteres."],
    [
      "form_password_not_strong_enough",
      "password",
      "Sua senha não é forte o suficiente. Adicione mais palavras que são menos comuns.",
    ],
    [
      "form_password_size_in_bytes_exceeded",
      "password",
      "Sua senha excedeu o número máximo de bytes permitidos, por favor, encurte-a ou remova alguns caracteres especiais.",
    ],
  ];

  test("for the sign-up", async () => {
    const person = product.newcomer();
    const page = await product.newPage();
    await page.goto("/auth/register");
    await page.locator("input[name=username]").fill(person.username);
    await page.locator("input[name=emailAddress]").fill(person.email);
    await password(page).fill(person.password);
    // Clerk validates a new password a moment later, which removes an older message.
    await page.getByText("Sua senha atende a todos os requisitos necessários.").first().waitFor();
    for (const [code, param, text] of AT_SIGN_UP) {
      product.clerk.refuseNext(/^\/client\/sign_ups/, {
        code,
        message: "in English",
        meta: {
          param_name: param,
          zxcvbn: { suggestions: [{ code: "anotherWord", message: "" }] },
        },
      });
      await page.locator(".cl-formButtonPrimary").press("Enter");
      await expect.poll(() => problem(page).allInnerTexts(), SHOWN).toContain(text);
    }
  });

  test("for a wrong password, and for a refusal of another provider", async () => {
    const person = product.clerk.addPerson(product.newcomer());
    const page = await product.newPage();
    await page.goto("/auth/login");
    await identifier(page).fill(person.email);
    await page.keyboard.press("Enter");
    await password(page).fill("não é esta");
    await page.keyboard.press("Enter");
    await problem(page).waitFor();
    await expect.poll(() => problem(page).innerText()).toBe("Senha incorreta.");

    const denied = verificationJson("oauth_google", "unverified", {
      code: "oauth_access_denied",
      message: "in English",
    });
    product.clerk.nextSignIn = signInJson(null, {
      status: "needs_identifier",
      first_factor_verification: denied,
    });
    const back = await product.newPage();
    await back.goto("/auth/login");
    await problem(back).waitFor();
    await expect
      .poll(() => problem(back).innerText())
      .toBe("Você não autorizou o acesso à sua conta do Google.");
  });
});

describe("Clerk screen theme", () => {
  test.each([
    ["light", "/logo-light.svg"],
    ["dark", "/logo-dark.svg"],
  ] as const)(
    "shows the %s logo and follows the theme switch while the screen is open",
    async (theme, logo) => {
      const page = await product.newPage();
      await page.goto("/auth/login");
      await page.getByRole("button", { name: theme === "dark" ? "Escuro" : "Claro" }).click();
      await page.locator(`img.cl-logoImage[src="${logo}"]`).waitFor();
      const loaded = await page
        .locator("img.cl-logoImage")
        .evaluate((image) => (image as HTMLImageElement).decode().then(() => true));
      expect(loaded).toBe(true);
      const green = await page.evaluate(() =>
        getComputedStyle(document.documentElement).getPropertyValue("--signal").trim(),
      );
      const button = page.locator(".cl-formButtonPrimary");
      const painted = await button.evaluate((node, colour) => {
        const probe = document.body.appendChild(
          Object.assign(document.createElement("i"), { style: `background:${colour}` }),
        );
        const same =
          getComputedStyle(probe).backgroundColor === getComputedStyle(node).backgroundColor;
        probe.remove();
        return same;
      }, green);
      expect(painted).toBe(true);
    },
  );

  test("follows the theme switch while Clerk is still loading", async () => {
    const page = await product.newPage();
    await page.route(/\/v1\/client\?/, async (route) => {
      await page.getByRole("button", { name: "Escuro" }).click();
      await route.fallback();
    });
    await page.goto("/auth/login");
    await expect
      .poll(() => page.locator("img.cl-logoImage").getAttribute("src"))
      .toBe("/logo-dark.svg");
  });
});
