import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { newPage } from "#tests/support/browser.ts";
import { signUpMember, signUpSeller } from "#tests/support/form-client.ts";
import type { SellerClient } from "#tests/support/form-client.ts";
import { payPix } from "#tests/support/sandbox.ts";
import { sharedServer } from "#tests/support/server.ts";
import {
  signInAsMember,
  hydrated,
  blockStatusPolling,
  screenshot,
  openPart,
} from "#tests/support/steps.ts";

const SECRET = "Da corda mais grossa à mais fina, sem pressa.";

let origin = "";
let sandboxOrigin = "";
let seller: SellerClient;

beforeAll(async () => {
  ({ origin, sandboxOrigin } = sharedServer());
  seller = await signUpSeller(origin);
});

/** Publishes a post that is sold by itself, and also opened by the plan. */
async function soldPost(title: string, price = "15,00"): Promise<{ id: string; path: string }> {
  const path = await seller.postAndFollow("/post/create", {
    title,
    content: SECRET,
    ways: ["price", "subscribers"],
    price,
  });
  return { id: path.split("/").at(-1) ?? "", path };
}

async function fan(options: { javaScript?: boolean; width?: number } = {}): Promise<Page> {
  const page = await newPage(options);
  await signInAsMember(page, await signUpMember(origin, "Bruno Sá"));
  return page;
}

const copied = async (page: Page): Promise<string> => {
  await page.getByRole("button", { name: "Copiar código Pix" }).click();
  await page.getByRole("button", { name: "Copiado" }).waitFor();
  return await page.evaluate(() => navigator.clipboard.readText());
};

describe("single post purchase", () => {
  test(
    "is priced by keyboard, bought by Pix, listed among the purchases, and refunded in the cooling-off period",
    { timeout: 120_000 },
    async () => {
      const studio = await newPage({ width: 390 });
      await signInAsMember(studio, seller);
      await studio.goto("/post/create");
      await hydrated(studio);
      await studio.getByLabel("Título").fill("Como afino a rabeca");
      await studio.getByLabel("Texto", { exact: true }).fill(SECRET);
      await openPart(studio, "Quem pode ver");
      const ways = studio.getByRole("group", { name: "Quem pode ver" });
      await ways.getByLabel("Todo mundo").focus();
      await studio.keyboard.press("Space");
      await ways.getByRole("checkbox", { name: /^Quem assina Qualquer/ }).focus();
      await studio.keyboard.press("Space");
      await ways.getByLabel("Quem comprar só esta").focus();
      await studio.keyboard.press("Space");
      const price = studio.getByLabel("Preço desta publicação");
      await price.waitFor();
      await price.fill("3");
      await studio.getByRole("button", { name: "Publicar" }).click();
      await studio.getByText(/^O preço mínimo é R\$\s5,00$/).waitFor();
      await expect.poll(() => studio.getByLabel("Título").inputValue()).toBe("Como afino a rabeca");
      await price.fill("15,00");
      await studio.getByText(/Você recebe R\$\s14,25 de cada venda\./).waitFor();
      await screenshot(studio, "composer-price-390");
      await studio.getByRole("button", { name: "Publicar" }).click();
      await studio.waitForURL((url) => /^\/post\/(?!create)/.test(url.pathname));
      const postPath = new URL(studio.url()).pathname;

      // The fan sees the cheapest way first, and buys by keyboard.
      const page = await fan({ width: 390 });
      const push = await blockStatusPolling(page);
      await page.goto(postPath);
      const waysIn = page.getByRole("link", { name: /^(Comprar|Assinar Camarim) por/ });
      await expect
        .poll(async () => (await waysIn.allInnerTexts()).map((text) => text.replaceAll(/\s/g, " ")))
        .toEqual(["Comprar por R$ 15,00", "Assinar Camarim por R$ 19,90/mês"]);
      await screenshot(page, "locked-price-390");
      await waysIn.first().focus();
      await page.keyboard.press("Enter");
      await page.waitForURL("**/checkout?post=**");
      await page.getByText("É um pagamento só: nada renova").waitFor();
      await page.getByText("Quem vende: Tereza Maria Lira").first().waitFor();
      await screenshot(page, "checkout-post-390");
      await hydrated(page);
      await page.getByRole("button", { name: "Pagar com Pix" }).click();
      await page.waitForURL(/\/checkout\/[^?]+$/);
      await hydrated(page);
      await push.isListening;
      await payPix(origin, await copied(page));
      // Only the push changes the page to what was bought: status polling is blocked.
      await page.waitForURL(`**${postPath}`);
      await page.getByText(SECRET).waitFor();
      await page
        .getByText(/“Como afino a rabeca” é sua/)
        .first()
        .waitFor();

      await page.goto("/settings/purchases");
      await screenshot(page, "purchases-390");
      await page.getByRole("link", { name: /Como afino a rabeca/ }).click();
      await page.getByText("É sua").waitFor();
      await screenshot(page, "purchase-390");
      await page.getByRole("link", { name: "Desistir da compra" }).click();
      await page.getByRole("heading", { name: "Desistir da compra?" }).waitFor();
      await screenshot(page, "regret-390");
      await page.getByRole("button", { name: "Desistir e receber de volta" }).click();
      await page.getByText("Compra desfeita. Tudo volta para você.").first().waitFor();
      await page.getByText("Você desistiu").waitFor();
      await page.goto(postPath);
      await waysIn.first().waitFor();
    },
  );

  test("is paid with a card typed in the provider's frame, and opens the post at once", async () => {
    const { id, path } = await soldPost("A rabeca por dentro");
    const page = await fan();
    await page.goto(`/checkout?post=${id}`);
    await page.getByRole("radio", { name: /^Cartão/ }).check();
    const frame = page.frameLocator('iframe[title="Dados do cartão"]');
    await frame.getByLabel("Número do cartão").fill("4242424242424242");
    await frame.getByLabel("Validade").fill("12/30");
    await frame.getByLabel("CVV").fill("321");
    await frame.getByLabel("Nome no cartão").fill("BRUNO SA");
    const pay = page.getByRole("button", { name: "Pagar com cartão" });
    await pay.scrollIntoViewIfNeeded();
    await pay.click();
    await page.waitForURL(`**${path}`);
    await page.getByText(SECRET).waitFor();
    // The checkout says that there is nothing left to pay.
    await page.goto(`/checkout?post=${id}`);
    await page.getByRole("heading", { name: "Você já comprou" }).waitFor();
    await expect.poll(() => page.getByRole("button", { name: /^Pagar/ }).count()).toBe(0);
  });

  test("clicked at once in two tabs creates one Pix code, and both tabs end at the post", async () => {
    const { id, path } = await soldPost("Duas abas, uma rabeca");
    const first = await fan();
    const second = await first.context().newPage();
    for (const tab of [first, second]) await tab.goto(`/checkout?post=${id}`);
    for (const tab of [first, second]) await hydrated(tab);
    await Promise.all(
      [first, second].map((tab) => tab.getByRole("button", { name: "Pagar com Pix" }).click()),
    );
    await Promise.all([first, second].map((tab) => tab.waitForURL(/\/checkout\/[^?]+$/)));
    expect(new URL(second.url()).pathname).toBe(new URL(first.url()).pathname);
    await first.getByRole("button", { name: "Copiar código Pix" }).waitFor();
    await first.bringToFront();
    await hydrated(first);
    await payPix(origin, await copied(first));
    await Promise.all([first, second].map((tab) => tab.waitForURL(`**${path}`)));
  });

  test("is offered to visitors on the public page, by Pix only below R$ 10,00", async () => {
    const { id } = await soldPost("Só por Pix", "9,99");
    const visitor = await newPage({ javaScript: false, width: 390 });
    await visitor.goto(`/space/${seller.username}/public/${id}`);
    await visitor.getByRole("link", { name: /^Comprar por R\$\s9,99$/ }).click();
    await visitor.waitForURL(`**/checkout?post=${id}`);
    await visitor.getByRole("button", { name: "Receber o código e pagar" }).waitFor();
    await expect.poll(() => visitor.getByRole("radio", { name: /^Cartão/ }).count()).toBe(0);
    await visitor.context().close();
    const page = await fan();
    await page.goto(`/checkout?post=${id}`);
    await page.getByRole("button", { name: "Pagar com Pix" }).waitFor();
    await expect.poll(() => page.getByRole("radio", { name: /^Cartão/ }).count()).toBe(0);
  });

  test(
    "without JavaScript is paid on the provider's page and refunded by plain forms",
    { timeout: 60_000 },
    async () => {
      const { id, path } = await soldPost("Sem script");
      const page = await fan({ javaScript: false, width: 390 });
      await page.goto(path);
      await page.getByRole("link", { name: /^Comprar por/ }).click();
      await page.waitForURL(`**/checkout?post=${id}`);
      await page.getByRole("radio", { name: /^Cartão/ }).check();
      await page.getByRole("button", { name: "Pagar com cartão" }).click();
      await page.getByRole("link", { name: "Terminar o pagamento" }).click();
      await page.waitForURL(`${sandboxOrigin}/pay/**`);
      await page.getByLabel("Número do cartão").fill("4242 4242 4242 4242");
      await page.getByLabel("Validade").fill("12/30");
      await page.getByLabel("CVV").fill("321");
      await page.getByLabel("Nome no cartão").fill("BRUNO SA");
      await page.getByRole("button", { name: /Pagar/ }).click();
      await page.waitForURL(`**${path}`, { timeout: 30_000 });
      await page.getByText(SECRET).waitFor();
      await page.goto("/settings/purchases");
      await page.getByRole("link", { name: /Sem script/ }).click();
      await page.getByRole("link", { name: "Desistir da compra" }).click();
      await page.getByRole("button", { name: "Desistir e receber de volta" }).click();
      await page.getByRole("status").getByText("Compra desfeita. Tudo volta para você.").waitFor();
      await page.goto(path);
      await page.getByRole("link", { name: /^Comprar por/ }).waitFor();
      await expect.poll(() => page.getByText(SECRET).count()).toBe(0);
    },
  );
});
