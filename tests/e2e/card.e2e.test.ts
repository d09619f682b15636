import type { Page, Request } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { newPage } from "#tests/support/browser.ts";
import { signUpMember, signUpSeller } from "#tests/support/form-client.ts";
import type { SellerClient } from "#tests/support/form-client.ts";
import { cardFieldHadCookie } from "#tests/support/sandbox.ts";
import { sharedServer } from "#tests/support/server.ts";
import { signInAsMember, screenshot } from "#tests/support/steps.ts";

const APPROVES = "4242424242424242";
const DECLINES = "4000000000000002";
const ASKS_3DS = "4000000000003220";

let origin = "";
let sandboxOrigin = "";
let seller: SellerClient;

beforeAll(async () => {
  ({ origin, sandboxOrigin } = sharedServer());
  seller = await signUpSeller(origin);
});

/**
 * Opens the checkout's card field as a new fan. `overheard` holds all that the browser sends to the
 * app.
 */
async function atTheCardField(
  options: { width?: number; theme?: "light" | "dark" } = {},
): Promise<{ page: Page; overheard: Request[] }> {
  const page = await newPage({ width: options.width ?? 1280 });
  const overheard: Request[] = [];
  page.on(
    "request",
    (request) => new URL(request.url()).origin === origin && overheard.push(request),
  );
  await signInAsMember(page, await signUpMember(origin, "Bruno Sá"));
  await page.goto(`/checkout?plan=${seller.planId}`);
  await page.getByRole("radio", { name: /^Cartão/ }).check();
  await field(page).getByLabel("Número do cartão").waitFor();
  return { page, overheard };
}

const field = (page: Page) => page.frameLocator('iframe[title="Dados do cartão"]');

async function payWith(page: Page, number: string): Promise<void> {
  const frame = field(page);
  const pay = page.getByRole("button", { name: "Pagar com cartão" });
  // A cross-process frame keeps its old position for clicks right after a scroll, so scroll first.
  await pay.scrollIntoViewIfNeeded();
  await frame.getByLabel("Número do cartão").fill(number);
  await frame.getByLabel("Validade").fill("12/30");
  await frame.getByLabel("CVV").fill("321");
  await frame.getByLabel("Nome no cartão").fill("BRUNO SA");
  await pay.click();
}

const isPaid = (page: Page) =>
  page.getByRole("heading", { name: /^Pronto.*pode entrar$/ }).waitFor();

/** Returns whether a request carries the card number in any format. */
function carriesNumber(request: Request, number: string): boolean {
  const said = [request.url(), request.postData() ?? "", ...Object.values(request.headers())].join(
    "\n",
  );
  return decodeURIComponent(said.replaceAll("%", "%25").replaceAll("%25", "%"))
    .replaceAll(/[\s+.-]/g, "")
    .includes(number);
}

describe("card payment", () => {
  test("the card is typed on the provider's hostname and paid, and its number never reaches the app", async () => {
    const { page, overheard } = await atTheCardField();
    const frame = page.frames().find((one) => one.url().includes("/card-field"));
    expect(new URL(frame?.url() ?? "").origin).toBe(sandboxOrigin);
    expect(new URL(sandboxOrigin).hostname).not.toBe(new URL(origin).hostname);
    // The brand is read from the first digits, also of cards that share their first digits with
    // another brand.
    for (const [digits, brand] of [
      ["4242", "Visa"],
      ["5555", "Mastercard"],
      ["4011", "Elo"],
    ] as const) {
      await field(page).getByLabel("Número do cartão").fill(digits);
      await field(page).getByRole("status").getByText(brand, { exact: true }).waitFor();
    }
    await screenshot(page, "card-1280");
    await payWith(page, APPROVES);
    await isPaid(page);
    expect(overheard.some((request) => request.method() === "POST")).toBe(true);
    expect(
      overheard
        .filter((request) => carriesNumber(request, APPROVES))
        .map((request) => request.url()),
    ).toEqual([]);
    expect(await cardFieldHadCookie(origin)).toBe(false);
  });

  test("a card declined by the bank shows an error beside the payment choice, and another card pays", async () => {
    const { page } = await atTheCardField({ width: 390 });
    await payWith(page, DECLINES);
    await page
      .getByRole("alert")
      .filter({ hasText: "O cartão foi recusado. Tente outro cartão ou pague com Pix." })
      .waitFor();
    expect(new URL(page.url()).pathname).toBe("/checkout");
    // The button is far below on a phone: the error scrolls into view and gets the focus.
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.getAttribute("role")))
      .toBe("alert");
    await expect.poll(() => page.getByRole("radio", { name: /^Cartão/ }).isChecked()).toBe(true);
    await screenshot(page, "card-declined-390");
    await payWith(page, APPROVES);
    await isPaid(page);
  });

  test("a mistyped card is corrected in its field, and nothing is charged", async () => {
    const { page, overheard } = await atTheCardField();
    await payWith(page, "4242424242424241");
    await field(page).getByText("Confira o número do cartão.").waitFor();
    await page.getByRole("button", { name: "Pagar com cartão" }).waitFor();
    expect(overheard.filter((request) => request.method() === "POST")).toEqual([]);
  });

  test("a card that needs bank authentication is paid once the payer approves", async () => {
    const { page } = await atTheCardField();
    await payWith(page, ASKS_3DS);
    await page.waitForURL(`${sandboxOrigin}/3ds/**`);
    await page.getByRole("button", { name: "Aprovar" }).click();
    await page.waitForURL(`${origin}/checkout/**`);
    await isPaid(page);
    await expect
      .poll(() => page.getByRole("link", { name: `Ver a página de ${seller.name}` }).count())
      .toBe(1);
  });

  test("a card that needs bank authentication is not paid when the payer refuses, and leads back to the checkout", async () => {
    const { page } = await atTheCardField();
    await payWith(page, ASKS_3DS);
    await page.waitForURL(`${sandboxOrigin}/3ds/**`);
    await page.getByRole("button", { name: "Recusar" }).click();
    await page.waitForURL(`${origin}/checkout/**`);
    await page.getByRole("heading", { name: "O pagamento não passou" }).waitFor();
    await page.getByRole("link", { name: "Tentar de novo" }).click();
    await page.waitForURL("**/checkout?plan=**");
    expect(new URL(page.url()).searchParams.get("plan")).toBe(seller.planId);
  });
});
