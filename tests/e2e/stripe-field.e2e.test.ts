import { createServer } from "node:http";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { STRIPE_JS_URL, stripeFieldPage } from "#app/integrations/stripe/card-field.ts";
import { newPage } from "#tests/support/browser.ts";
import { STRIPE_JS_DOUBLE } from "#tests/support/stripe-js.ts";

// The real Stripe.js cannot be reached here. This uses our frame and its policy with a double of
// the library. The page around it acts as our forms do.
const FORM = `<!doctype html><title>Form</title><iframe title="Dados do cartão" src="/checkout/card-field?theme=dark"></iframe>
<script>window.heard = []; addEventListener("message", (event) => heard.push(event.data));</script>`;

let server: Server;
let origin = "";
beforeAll(async () => {
  server = createServer(async (request, response) => {
    if (!request.url?.startsWith("/checkout/card-field"))
      return response.setHeader("content-type", "text/html; charset=utf-8").end(FORM);
    const answer = stripeFieldPage({ publishableKey: "pk_test_1", theme: "dark", nonce: "n0nce" });
    response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

async function atTheField(
  double: string | null,
): Promise<{ page: Page; loaded: string[]; problems: string[] }> {
  const page = await newPage({ origin });
  const [loaded, problems]: [string[], string[]] = [[], []];
  page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
  await page.route(/^https:/, async (route) => {
    loaded.push(route.request().url());
    await (double === null
      ? route.abort()
      : route.fulfill({ contentType: "text/javascript", body: double }));
  });
  await page.goto("/");
  return { page, loaded, problems };
}

const heard = (page: Page, type: string): Promise<Record<string, unknown>[]> =>
  page.evaluate(
    (wanted) =>
      (Reflect.get(window, "heard") as Record<string, unknown>[]).filter(
        (one) => one["type"] === wanted,
      ),
    type,
  );
const ask = (page: Page, terms: Record<string, unknown>): Promise<void> =>
  page.evaluate(
    (said) =>
      document
        .querySelector("iframe")
        ?.contentWindow?.postMessage({ type: "tokenize", ...said }, location.origin),
    terms,
  );
const last = async (page: Page, type: string) => (await heard(page, type)).at(-1);

test("the card becomes a confirmation token for the payment, and a wrong card is neither lost nor sent", async () => {
  const { page, loaded, problems } = await atTheField(STRIPE_JS_DOUBLE);
  await expect.poll(() => heard(page, "card-ready")).toHaveLength(1);
  expect(loaded).toEqual([STRIPE_JS_URL]);
  expect(STRIPE_JS_URL).toBe("https://js.stripe.com/endive/stripe.js");
  const number = page.frameLocator("iframe").getByLabel("Número do cartão");
  await ask(page, { amountCents: 1_990, keeps: true });
  await expect
    .poll(() => last(page, "card-error"))
    .toEqual({ type: "card-error", message: "Confira os dados do cartão." });
  await number.fill("4000000000000002");
  await ask(page, { amountCents: 1_990, keeps: true });
  await expect
    .poll(() => last(page, "card-error"))
    .toEqual({ type: "card-error", message: "Seu cartão foi recusado." });
  await expect.poll(() => number.inputValue()).toBe("4000000000000002");
  await number.fill("4242424242424242");
  for (const [terms, token] of [
    [{ amountCents: 1_990, keeps: true }, "ctoken_payment_1990_off_session"],
    [{ amountCents: 500, keeps: false }, "ctoken_payment_500_once"],
    [{ amountCents: null, keeps: true }, "ctoken_setup_0_off_session"],
  ] as const) {
    await ask(page, terms);
    await expect.poll(() => last(page, "card-token")).toEqual({ type: "card-token", token });
  }
  const frame = page.frames().find((one) => one.url().includes("card-field"));
  await expect
    .poll(() => frame?.evaluate(() => Reflect.get(window, "asked")))
    .toEqual([
      { key: "pk_test_1", locale: "pt-BR" },
      {
        created: expect.objectContaining({
          currency: "brl",
          allowedPaymentMethodTypes: ["card"],
          locale: "pt-BR",
          appearance: { theme: "night" },
        }),
      },
      { type: "payment", wallets: { applePay: "never", googlePay: "never", link: "never" } },
    ]);
  expect(problems).toEqual([]);
});

test("a Stripe library that fails to load is reported, so that the form offers another way to pay", async () => {
  const { page } = await atTheField(null);
  await expect.poll(() => heard(page, "card-unavailable")).toHaveLength(1);
});
