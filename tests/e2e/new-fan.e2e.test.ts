import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { newPage } from "#tests/support/browser.ts";
import { newMemberInput, signUpMember, signUpSeller } from "#tests/support/form-client.ts";
import type { SellerClient } from "#tests/support/form-client.ts";
import { payPix } from "#tests/support/sandbox.ts";
import { sharedServer } from "#tests/support/server.ts";
import { hydrated, payAsGuest, screenshot, signInAsMember } from "#tests/support/steps.ts";

const MOST_SCREENS = 4;
/** Links, buttons and choices; filling a field is none. */
const MOST_TAPS = 6;

let seller: SellerClient;
let alike: SellerClient;

beforeAll(async () => {
  const { origin } = sharedServer();
  seller = await signUpSeller(origin, { name: "Tereza da Rabeca" });
  alike = await signUpSeller(origin, { name: "Nazira da Viola" });
  await seller.postAndFollow("/post/create", {
    title: "O ensaio de domingo",
    content: "Tudo o que se ouviu.",
    ways: "subscribers",
  });
  const fan = await signUpMember(origin, "Quem segue as duas");
  for (const { username } of [seller, alike])
    await fan.postAndFollow(`/space/${username}/follow`, { following: "true" });
});

/** Counts what the page's reader presses, from here on. */
async function tapsOf(page: Page): Promise<() => number> {
  let taps = 0;
  await page.exposeFunction("countTap", () => {
    taps += 1;
  });
  await page.addInitScript(() => {
    const count = Reflect.get(window, "countTap") as () => void;
    // A label presses its field as well: only what a hand or its key does is counted.
    addEventListener("click", (event) => event.isTrusted && event.detail > 0 && count(), true);
  });
  return () => taps;
}

/** Waits for a screen by its heading, and adds it to those that were shown. */
async function arrivesAt(page: Page, screens: string[], heading: RegExp | string): Promise<void> {
  await page.getByRole("heading", { level: 1, name: heading }).waitFor();
  screens.push(String(heading));
}

async function isTooWide(page: Page): Promise<boolean> {
  return await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
}

/** The paid page: the welcome message, the post to begin with, and another creator to follow. */
async function seesTheWelcome(page: Page): Promise<void> {
  await page.getByText("Que bom que você veio!").waitFor();
  await page.getByRole("link", { name: "Começar por “O ensaio de domingo”" }).waitFor();
  const more = page.getByRole("region", { name: "Quem mais seguir" });
  await more.getByText("Nazira da Viola").waitFor();
  await expect.poll(() => more.getByRole("listitem").count()).toBeLessThanOrEqual(4);
}

test("a visitor subscribes by Pix in four screens, is greeted, and follows one more creator", async () => {
  const { origin } = sharedServer();
  const page = await newPage({ width: 390, height: 844 });
  const taps = await tapsOf(page);
  const screens: string[] = [];
  await page.goto(`/space/${seller.username}/public`);
  await arrivesAt(page, screens, "Tereza da Rabeca");
  await page
    .getByRole("region", { name: "Planos" })
    .getByRole("link", { name: "Assinar Camarim" })
    .click();
  await page.waitForURL("**/checkout?plan=**");
  await hydrated(page);
  await arrivesAt(page, screens, /./);
  await page.getByRole("radio", { name: /^Pix Na hora/ }).check();
  // The code from the email is a screen of its own.
  await payAsGuest(page, newMemberInput("Bruno Sá"));
  screens.push("Confirme o seu e-mail");
  await page.waitForURL(/\/checkout\/[^?]+$/);
  await arrivesAt(page, screens, "Pague com Pix e já pode entrar");
  await hydrated(page);
  await page.getByRole("button", { name: "Copiar código Pix" }).click();
  await page.getByRole("button", { name: "Copiado" }).waitFor();
  await payPix(origin, await page.evaluate(() => navigator.clipboard.readText()));
  // The same screen becomes the paid one by itself.
  await page.getByRole("heading", { name: /^Pronto.*pode entrar$/ }).waitFor();
  expect(screens.length, screens.join("\n")).toBeLessThanOrEqual(MOST_SCREENS);
  // The plan, Pix, the terms, two buttons, and the copy of the code.
  await expect.poll(taps).toBeGreaterThan(MOST_TAPS - 2);
  expect(taps()).toBeLessThanOrEqual(MOST_TAPS);

  await seesTheWelcome(page);
  await page.getByText("Nazira da Viola").scrollIntoViewIfNeeded();
  expect(await isTooWide(page)).toBe(false);
  await screenshot(page, "new-fan-paid-390");
  // The button changes before the answer. A reload in between would keep it from being sent.
  const stored = page.waitForResponse(/\/follow(\.data)?(\?|$)/);
  await page.getByRole("button", { name: "Seguir Nazira da Viola" }).click();
  await page.getByRole("button", { name: "Seguindo Nazira da Viola" }).waitFor();
  await stored;
  for (const theme of ["light", "dark"]) {
    await page
      .context()
      .addCookies([{ name: "coreto-theme", value: theme, url: origin, secure: true }]);
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.reload();
    await page.getByText("Que bom que você veio!").waitFor();
    await screenshot(page, `new-fan-paid-1440-${theme}`);
  }
  // Who is followed already is suggested no more.
  await expect.poll(() => page.getByText("Nazira da Viola").count()).toBe(0);
  await page.getByRole("link", { name: /^Começar por/ }).click();
  await page.getByText("Tudo o que se ouviu.").waitFor();
});

test("a member subscribes by card in as many screens at most, and is greeted the same way", async () => {
  const { origin } = sharedServer();
  const page = await newPage({ width: 390, height: 844 });
  const screens: string[] = [];
  await signInAsMember(page, await signUpMember(origin, "Clara Nunes"));
  const taps = await tapsOf(page);
  await page.goto(`/space/${seller.username}`);
  await hydrated(page);
  await arrivesAt(page, screens, "Tereza da Rabeca");
  await page.getByRole("link", { name: "Assinar Camarim" }).first().click();
  await page.waitForURL("**/checkout?plan=**");
  await arrivesAt(page, screens, /./);
  await page.getByRole("radio", { name: /^Cartão/ }).check();
  const frame = page.frameLocator('iframe[title="Dados do cartão"]');
  const pay = page.getByRole("button", { name: "Pagar com cartão" });
  await frame.getByLabel("Número do cartão").waitFor();
  await pay.scrollIntoViewIfNeeded();
  await frame.getByLabel("Número do cartão").fill("4242424242424242");
  await frame.getByLabel("Validade").fill("12/30");
  await frame.getByLabel("CVV").fill("321");
  await frame.getByLabel("Nome no cartão").fill("CLARA NUNES");
  await pay.click();
  await arrivesAt(page, screens, /^Pronto.*pode entrar$/);
  expect(screens.length, screens.join("\n")).toBeLessThanOrEqual(MOST_SCREENS);
  // The plan, the card, and the payment.
  await expect.poll(taps).toBe(3);
  await seesTheWelcome(page);
});

test("a visitor pays by card on the fourth screen at the latest", async () => {
  const { sandboxOrigin } = sharedServer();
  const page = await newPage({ width: 390, height: 844 });
  const screens: string[] = [];
  await page.goto(`/space/${seller.username}/public`);
  await arrivesAt(page, screens, "Tereza da Rabeca");
  await page
    .getByRole("region", { name: "Planos" })
    .getByRole("link", { name: "Assinar Camarim" })
    .click();
  await page.waitForURL("**/checkout?plan=**");
  await hydrated(page);
  await arrivesAt(page, screens, /./);
  await page.getByRole("radio", { name: /^Cartão/ }).check();
  await payAsGuest(page, newMemberInput("Bruna Sá"));
  screens.push("Confirme o seu e-mail");
  await page.waitForURL(`${sandboxOrigin}/pay/**`);
  screens.push("Cartão, na página de quem o processa");
  expect(screens.length, screens.join("\n")).toBeLessThanOrEqual(MOST_SCREENS);
  await page.getByLabel("Número do cartão").fill("4242424242424242");
  await page.getByLabel("Validade").fill("12/30");
  await page.getByLabel("CVV").fill("321");
  await page.getByLabel("Nome no cartão").fill("BRUNA SA");
  await page.getByRole("button", { name: /^Pagar R\$/ }).click();
  await page.getByRole("heading", { name: /^Pronto.*pode entrar$/ }).waitFor();
  await seesTheWelcome(page);
});

test("a public collection has its QR code folded, and the feeds of a page have a page", async () => {
  const page = await newPage({ javaScript: false, width: 390, height: 844 });
  await page.goto("/space/ana/public/collections");
  await page.locator('main a[href*="/public/collections/"]').first().click();
  await page.getByText("Endereço e QR code").click();
  await page.getByRole("img", { name: /^QR code de / }).waitFor();
  await page.getByText(new URL(page.url()).pathname).waitFor();
  await screenshot(page, "collection-share-390");
  await page.goto("/space/ana/public");
  await page.getByRole("link", { name: "Seguir por RSS" }).click();
  await page.getByRole("heading", { level: 1, name: /^Feeds de / }).waitFor();
  await page.getByText("/space/ana/rss.xml").waitFor();
  expect(await isTooWide(page)).toBe(false);
  await screenshot(page, "feeds-390");
});
