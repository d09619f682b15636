import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { newPage } from "#tests/support/browser.ts";
import { signUpMember, signUpSeller } from "#tests/support/form-client.ts";
import type { SellerClient } from "#tests/support/form-client.ts";
import { sharedServer } from "#tests/support/server.ts";
import { signInAsMember, hydrated, screenshot } from "#tests/support/steps.ts";

const KEPT = /•••• 4242|^Cartão guardado em/;

let origin = "";
let seller: SellerClient;

beforeAll(async () => {
  ({ origin } = sharedServer());
  seller = await signUpSeller(origin);
});

async function soldPost(title: string): Promise<{ id: string; path: string }> {
  const path = await seller.postAndFollow("/post/create", {
    title,
    content: "Da corda mais grossa à mais fina.",
    ways: ["price"],
    price: "15,00",
  });
  return { id: path.split("/").at(-1) ?? "", path };
}

const kept = (page: Page) =>
  page.getByRole("group", { name: "Como você quer pagar" }).getByRole("radio", { name: KEPT });

test(
  "a card is saved with consent, pays the next purchase without being typed, and is refused after its removal",
  { timeout: 90_000 },
  async () => {
    const [first, second, third] = [
      await soldPost("A primeira"),
      await soldPost("A segunda"),
      await soldPost("A terceira"),
    ];
    const bruno = await signUpMember(origin, "Bruno Sá");
    const page = await newPage({ width: 390 });
    await signInAsMember(page, bruno);
    await page.goto(`/checkout?post=${first.id}`);
    await hydrated(page);
    await page.getByRole("radio", { name: /^Cartão/ }).check();
    const frame = page.frameLocator('iframe[title="Dados do cartão"]');
    await frame.getByLabel("Número do cartão").fill("4242424242424242");
    await frame.getByLabel("Validade").fill("12/30");
    await frame.getByLabel("CVV").fill("321");
    await frame.getByLabel("Nome no cartão").fill("BRUNO SA");
    await page.getByLabel("Guardar este cartão para as minhas próximas compras").check();
    await screenshot(page, "card-consent-390");
    const pay = page.getByRole("button", { name: "Pagar com cartão" });
    await pay.scrollIntoViewIfNeeded();
    await pay.click();
    await page.waitForURL(`**${first.path}`);

    await page.goto(`/checkout?post=${second.id}`);
    await hydrated(page);
    await kept(page).check();
    await page.getByText("Usar outro cartão", { exact: true }).waitFor();
    await expect.poll(() => page.locator('iframe[title="Dados do cartão"]').count()).toBe(0);
    await screenshot(page, "card-kept-390");
    await pay.click();
    await page.waitForURL(`**${second.path}`);

    // Without JavaScript: the page stays open while the card is removed.
    const plain = await newPage({ javaScript: false, width: 1440 });
    await signInAsMember(plain, bruno);
    await plain.goto(`/checkout?post=${third.id}`);
    await kept(plain).check();
    await screenshot(plain, "card-kept-1440");
    await page.goto("/settings/billing");
    await page
      .getByRole("link", { name: /^Remover/ })
      .first()
      .click();
    await page.getByRole("button", { name: /^Remover/ }).click();
    await page.waitForURL("**/settings/billing");
    await page.context().close();
    await plain.getByRole("button", { name: "Pagar com cartão" }).click();
    await plain
      .getByText(
        "Este cartão não está mais guardado. Nada foi cobrado. Escolha outra forma de pagar.",
      )
      .waitFor();
    await expect.poll(() => kept(plain).count()).toBe(0);
    await screenshot(plain, "card-gone-1440");
    await plain.getByRole("button", { name: "Pagar com Pix" }).click();
    await plain.waitForURL(/\/checkout\/[^?]+$/);
  },
);
