import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { newPage } from "#tests/support/browser.ts";
import { signUpMember, signUpSeller } from "#tests/support/form-client.ts";
import type { SellerClient } from "#tests/support/form-client.ts";
import { payPix } from "#tests/support/sandbox.ts";
import { sharedServer } from "#tests/support/server.ts";
import { signInAsMember, hydrated, screenshot } from "#tests/support/steps.ts";

let origin = "";
let seller: SellerClient;

beforeAll(async () => {
  ({ origin } = sharedServer());
  seller = await signUpSeller(origin);
});

/** Returns the text of the summary beside the page. */
const today = async (page: Page): Promise<string> =>
  (await page.getByRole("region", { name: "Resumo" }).innerText()).replaceAll(/\s+/g, " ");

test(
  "a coupon is created, shows an error for a wrong code, discounts a paid checkout, and is refused at payment once ended",
  { timeout: 90_000 },
  async () => {
    const studio = await newPage({ width: 390 });
    await signInAsMember(studio, seller);
    await studio.goto("/me/coupons");
    await studio.getByRole("heading", { name: "Nenhum cupom" }).waitFor();
    await studio.getByRole("link", { name: "Criar cupom" }).click();
    await studio.waitForURL("**/me/coupons/create");
    await hydrated(studio);
    await studio.getByLabel("Código", { exact: true }).fill("volta 20");
    await studio.getByLabel("Desconto", { exact: true }).fill("120");
    await studio.getByRole("radio", { name: /^Nos primeiros pagamentos/ }).check();
    await studio.getByLabel("Quantos pagamentos").fill("3");
    await studio.getByRole("button", { name: "Criar cupom" }).click();
    await studio.getByText("Escreva um número inteiro de 1 a 99", { exact: true }).waitFor();
    await expect
      .poll(() => studio.getByLabel("Código", { exact: true }).inputValue())
      .toBe("volta 20");
    await screenshot(studio, "coupon-form-390");
    await studio.getByLabel("Desconto", { exact: true }).fill("20");
    await studio.getByRole("button", { name: "Criar cupom" }).click();
    await studio.getByText("20% de desconto nos 3 primeiros pagamentos").waitFor();
    await studio.getByText("Link com o cupom").click();
    await studio.getByText(`${origin}/checkout?plan=${seller.planId}&coupon=VOLTA20`).waitFor();
    await screenshot(studio, "coupons-390");

    // A wrong code is typed first.
    const page = await newPage({ width: 1440 });
    await signInAsMember(page, await signUpMember(origin, "Bruno Sá"));
    await page.goto(`/checkout?plan=${seller.planId}`);
    await hydrated(page);
    await page.getByText("Tenho um cupom").click();
    const field = page.getByLabel("Cupom", { exact: true });
    await field.fill("nenhum");
    await page.getByRole("button", { name: "Aplicar" }).click();
    await page
      .getByText("Não encontramos este cupom. Confira o código.", { exact: true })
      .waitFor();
    await expect.poll(() => field.inputValue()).toBe("NENHUM");
    await screenshot(page, "coupon-refused-1440");
    await field.fill("volta20");
    await field.press("Enter");
    await page
      .getByRole("status")
      .getByText("Cupom VOLTA20: 20% de desconto nos 3 primeiros pagamentos.")
      .waitFor();
    await expect
      .poll(() => today(page))
      .toMatch(
        /Hoje R\$ 15,92 R\$ 15,92 em cada um dos 3 primeiros pagamentos\. A partir de \d\d\/\d\d\/\d{4}, R\$ 19,90 por mês\./,
      );
    await screenshot(page, "coupon-1440");
    await page.setViewportSize({ width: 390, height: 844 });
    await screenshot(page, "coupon-390");
    await page.getByRole("button", { name: "Pagar com Pix" }).click();
    await page.waitForURL(/\/checkout\/[^?]+$/);
    await hydrated(page);
    await page.getByRole("button", { name: "Copiar código Pix" }).click();
    await page.getByRole("button", { name: "Copiado" }).waitFor();
    await payPix(origin, await page.evaluate(() => navigator.clipboard.readText()));
    await page.getByRole("heading", { name: /^Pronto.*pode entrar$/ }).waitFor();
    await expect.poll(() => today(page)).toMatch(/Você pagou R\$ 15,92/);
    await page.context().close();

    // The coupon comes by a link, without JavaScript, and is ended while the page is open.
    const plain = await newPage({ javaScript: false, width: 390 });
    await signInAsMember(plain, await signUpMember(origin, "Clara Reis"));
    await plain.goto(`/checkout?plan=${seller.planId}&coupon=volta20`);
    await plain.getByText("Cupom VOLTA20:").waitFor();
    await studio.getByRole("link", { name: "Encerrar VOLTA20" }).click();
    await studio.getByRole("button", { name: "Encerrar cupom" }).click();
    await studio.getByText("Encerrado", { exact: true }).waitFor();
    await studio.context().close();
    await plain.getByRole("button", { name: "Pagar com Pix" }).click();
    await plain.getByText("Este cupom foi encerrado. Nada foi cobrado.").first().waitFor();
    await screenshot(plain, "coupon-ended-390");
    await expect.poll(() => today(plain)).toMatch(/Hoje R\$ 19,90/);
    await plain.getByRole("button", { name: "Pagar com Pix" }).click();
    await plain.waitForURL(/\/checkout\/[^?]+$/);
    await expect.poll(() => today(plain)).toMatch(/Hoje R\$ 19,90/);
  },
);

/** What a guest's checkout may be tall on a phone, in CSS pixels: it was 1,854. */
const TALLEST_CHECKOUT = 1_700;

test("on a phone the fields stand before period and coupon, and a date that does not exist says so", async () => {
  const page = await newPage({ width: 390, height: 844 });
  await page.goto(`/checkout?plan=${seller.planId}`);
  await hydrated(page);
  const inOrder = [
    page.getByLabel("Nome", { exact: true }),
    page.getByRole("radio", { name: /^Cartão de crédito/ }),
    page.getByRole("button", { name: "Receber o código e pagar" }),
    page.getByText("Pagar por mais tempo"),
    page.getByText("Tenho um cupom"),
  ];
  const tops = await Promise.all(
    inOrder.map(async (place) => (await place.boundingBox())?.y ?? Number.NaN),
  );
  expect(tops).toEqual(tops.toSorted((one, other) => one - other));
  await expect
    .poll(() => page.evaluate(() => document.documentElement.scrollHeight))
    .toBeLessThan(TALLEST_CHECKOUT);
  const birthDate = page.getByLabel("Data de nascimento");
  await birthDate.pressSequentially("31021990");
  await expect.poll(() => birthDate.inputValue()).toBe("31/02/1990");
  await page.getByRole("button", { name: "Receber o código e pagar" }).click();
  await page.getByText("31/02/1990 não existe. Confira a data").waitFor();
});
