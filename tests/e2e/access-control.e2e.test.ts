import { describe, expect, test } from "vitest";
import { newPage } from "#tests/support/browser.ts";
import {
  signUpMember,
  newMemberInput,
  PASSWORD,
  signUpSeller,
} from "#tests/support/form-client.ts";
import { payPix } from "#tests/support/sandbox.ts";
import { sharedServer } from "#tests/support/server.ts";
import {
  signInAsMember,
  hydrated,
  fillSignUp,
  blockStatusPolling,
  screenshot,
} from "#tests/support/steps.ts";

describe("keyboard-only use", () => {
  test("a visitor signs in and pays with Pix", async () => {
    const { origin, sandboxOrigin } = sharedServer();
    const seller = await signUpSeller(origin);
    const fan = await signUpMember(origin, "Bruno Sá");
    const page = await newPage();
    const push = await blockStatusPolling(page);
    await page.goto(`/checkout?plan=${seller.planId}`);
    await hydrated(page);
    const reach = async (isThere: () => boolean) => {
      for (let presses = 0; presses < 60; presses += 1) {
        await page.keyboard.press("Tab");
        if (await page.evaluate(isThere)) return;
      }
      throw new Error(`sixty tabs did not reach ${isThere.toString()}`);
    };
    // A member with an account first opens the sign-in page.
    await reach(() => document.activeElement?.textContent === "Entrar");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/auth/login?to=**");
    await hydrated(page);
    await reach(() => document.activeElement?.getAttribute("name") === "identifier");
    await page.keyboard.type(fan.email);
    await page.keyboard.press("Tab");
    await page.keyboard.type(PASSWORD);
    await page.keyboard.press("Enter");
    await page.waitForURL("**/checkout?plan=**");
    await page.getByRole("group", { name: "Como você quer pagar" }).waitFor();
    await reach(() => document.activeElement?.getAttribute("value") === "pix");
    // The arrow keys choose between the payment methods, and back.
    await page.keyboard.press("ArrowDown");
    await expect
      .poll(() => page.getByRole("radio", { name: /^Pix Automático/ }).isChecked())
      .toBe(true);
    await page.keyboard.press("ArrowUp");
    await expect
      .poll(() => page.getByRole("radio", { name: /^Pix Na hora/ }).isChecked())
      .toBe(true);
    await reach(() => document.activeElement?.textContent?.includes("Pagar com Pix") ?? false);
    const outline = await page.evaluate(
      () => getComputedStyle(document.activeElement ?? document.body).outlineStyle,
    );
    expect(outline).not.toBe("none");
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/checkout\/[^?]+$/);
    await page.getByRole("button", { name: "Copiar código Pix" }).waitFor();
    // The focused button disappears with its page. The focus moves to the content, not to the top
    // of the window.
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe("conteudo");
    await push.isListening;
    await payPix(sandboxOrigin, (await page.getByLabel("Código Pix").textContent()) ?? "");
    // Only the push updates the page: status polling is blocked.
    await page.getByRole("heading", { name: /^Pronto/ }).waitFor();
  });
});

describe("return address after sign-in", () => {
  test.each([
    "//evil.test",
    "https://evil.test/",
    "/\\evil.test",
    "/%09/evil.test",
    "javascript:alert(1)",
  ])("never redirects to another site for %s", async (to) => {
    const { origin } = sharedServer();
    const page = await newPage();
    const asked: string[] = [];
    page.on("request", (request) => asked.push(new URL(request.url()).host));
    await page.goto(`/auth/register?to=${encodeURIComponent(to)}`);
    await fillSignUp(page, newMemberInput("Lia Souza"));
    await page.waitForURL((url) => !url.pathname.startsWith("/auth/"));
    expect(new URL(page.url()).origin).toBe(origin);
    expect(new Set(asked)).toEqual(new Set([new URL(origin).host]));
  });

  test("redirects to the requested path of this site, with its query string", async () => {
    const page = await newPage();
    await page.goto("/settings/subscriptions?de=e-mail");
    await page.waitForURL("**/auth/login?to=**");
    await page.getByRole("link", { name: "Criar conta" }).click();
    await fillSignUp(page, newMemberInput("Lia Souza"));
    await page.waitForURL("**/settings/subscriptions**");
    expect(new URL(page.url()).search).toBe("?de=e-mail");
  });

  test("shows a wrong password as an error and keeps the typed fields", async () => {
    const person = await signUpMember(sharedServer().origin, "Lia Souza");
    const page = await newPage({ width: 390, height: 844 });
    await page.goto("/auth/login");
    await page.getByLabel("E-mail ou nome de usuário").fill(person.username);
    await page.getByLabel("Senha", { exact: true }).fill("não é esta");
    await page.getByRole("button", { name: "Entrar", exact: true }).click();
    await page
      .getByRole("alert")
      .filter({ hasText: "Telefone, e-mail, nome de usuário ou senha incorretos." })
      .waitFor();
    await expect
      .poll(() => page.getByLabel("E-mail ou nome de usuário").inputValue())
      .toBe(person.username);
    await screenshot(page, "login-wrong-390");
    // A member who continues with a code or a new password need not enter their address again.
    for (const [link, title] of [
      ["Entrar com um código", "Entrar com um código"],
      ["Esqueci minha senha", "Esqueci minha senha"],
    ] as const) {
      await page.getByRole("link", { name: link }).click();
      await page.getByRole("heading", { name: title }).waitFor();
      await expect
        .poll(() => page.getByLabel("E-mail ou nome de usuário").inputValue())
        .toBe(person.username);
      await page.goBack();
      await page.getByRole("heading", { name: "Entrar", exact: true }).waitFor();
      await page.getByLabel("E-mail ou nome de usuário").fill(person.username);
    }
  });
});

describe("toast messages", () => {
  test("leave the bottom bar of a phone uncovered", async () => {
    const person = await signUpMember(sharedServer().origin, "Lia Souza");
    const page = await newPage({ width: 390, height: 844 });
    await signInAsMember(page, person);
    await page.goto("/auth/login");
    await page.waitForURL("/");
    const toast = page.locator("[data-sonner-toast]").first();
    const bar = await page.getByRole("navigation", { name: "Principal" }).boundingBox();
    const aboveBar = async () => {
      const box = await toast.boundingBox();
      return box && bar && Math.round(bar.y - box.y - box.height);
    };
    await expect.poll(aboveBar).toBeGreaterThanOrEqual(15);
  });

  test("match the design: 356 pixels wide, 24 pixels from the corner, and open while hovered", async () => {
    const { origin } = sharedServer();
    const person = await signUpMember(origin, "Lia Souza");
    const page = await newPage({ width: 1280, height: 860 });
    await signInAsMember(page, person);
    // A member who is signed in already is told so.
    await page.goto("/auth/login");
    await page.waitForURL("/");
    const toast = page.locator("[data-sonner-toast]").first();
    await toast.hover();
    const fromCorner = async () => {
      const box = await toast.boundingBox();
      return (
        box && {
          width: Math.round(box.width),
          right: Math.round(1280 - box.x - box.width),
          bottom: Math.round(860 - box.y - box.height),
        }
      );
    };
    // The toast slides in.
    await expect.poll(fromCorner).toEqual({ width: 356, right: 24, bottom: 24 });
    // Alt+T moves the focus to the toast, and Escape leaves it.
    await page.keyboard.press("Alt+t");
    await page.waitForFunction(() =>
      document.activeElement?.closest("section")?.getAttribute("aria-label")?.includes("Avisos"),
    );
    await page.keyboard.press("Escape");
    await page.mouse.move(10, 10);
    await toast.waitFor({ state: "detached" });
  });
});
