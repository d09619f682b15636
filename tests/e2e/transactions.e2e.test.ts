import { beforeAll, describe, expect, test } from "vitest";
import { signUpMember, signUpSeller } from "#tests/support/form-client.ts";
import type { MemberClient, SellerClient } from "#tests/support/form-client.ts";
import { sharedServer } from "#tests/support/server.ts";
import { openPageAs, screenshot } from "#tests/support/steps.ts";
import { subscribeByPix } from "#tests/support/subscriber.ts";

let origin = "";
let seller: SellerClient;
let fan: MemberClient;
let chargeId = "";

beforeAll(async () => {
  ({ origin } = sharedServer());
  seller = await signUpSeller(origin);
  fan = await signUpMember(origin, "Bruno Ação");
  chargeId = await subscribeByPix(fan, seller);
});

describe("creator's transactions", () => {
  test(
    "by keyboard: opens a payment and the entries of its net, and refunds a part after seeing the effect",
    { timeout: 90_000 },
    async () => {
      const page = await openPageAs(seller, "/settings/transactions");
      await page.getByRole("link", { name: /Bruno Ação/ }).focus();
      await page.keyboard.press("Enter");
      await page.waitForURL(`**/settings/transactions/${chargeId}`);
      const net = page.locator("summary", { hasText: "Líquido" });
      await net.focus();
      await page.keyboard.press("Enter");
      await page
        .getByRole("table", { name: "Lançamentos de: Líquido" })
        .getByText("A liberar")
        .waitFor();
      await screenshot(page, "transaction-seller-1280");
      await page.getByRole("link", { name: "Devolver", exact: true }).focus();
      await page.keyboard.press("Enter");
      const amount = page.getByLabel("Quanto devolver");
      await amount.fill("199");
      await amount.press("Enter");
      await page.getByText("É mais do que resta desta cobrança.").waitFor();
      await expect.poll(() => amount.inputValue()).toBe("199");
      await amount.fill("4,00");
      await amount.press("Enter");
      await page.getByText("O Coreto devolve da taxa").waitFor();
      await page.getByLabel("Motivo").fill("O ensaio caiu.");
      await page.getByRole("button", { name: /Devolver R\$\s4,00/ }).focus();
      await page.keyboard.press("Enter");
      await page.getByText(/R\$\s4,00 de volta para quem pagou/).waitFor();
      await page.getByText("Devolvido em parte").waitFor();
      await page.getByText("O ensaio caiu.").waitFor();
    },
  );

  test("filters the statement and downloads the same rows as a spreadsheet", async () => {
    const page = await openPageAs(seller, "/settings/transactions");
    await page.locator("summary", { hasText: "Filtrar" }).click();
    await page.getByLabel("De quem").fill("@ninguem.tem.este");
    await page.getByRole("button", { name: "Mostrar" }).click();
    await page.getByText("Ninguém tem esse nome de usuário.").waitFor();
    await page.getByLabel("De quem").fill(`@${fan.username}`);
    await page.getByLabel("Forma de pagamento").selectOption("pix");
    await page.getByRole("button", { name: "Mostrar" }).click();
    await page.getByRole("link", { name: /Bruno Ação/ }).waitFor();
    const download = page.waitForEvent("download");
    await page.getByRole("link", { name: "Baixar planilha" }).click();
    expect((await download).suggestedFilename()).toMatch(/^coreto-extrato-recebimentos-.*\.csv$/);
  });
});

describe("payer's transactions, without JavaScript, on a phone", () => {
  test("are filtered and show the history, receipt and PDF", { timeout: 60_000 }, async () => {
    const page = await openPageAs(fan, "/settings/transactions", { javaScript: false, width: 390 });
    await page.locator("summary", { hasText: "Filtrar" }).click();
    await page.getByLabel("Situação").selectOption("unpaid");
    await page.getByRole("button", { name: "Mostrar" }).click();
    await page.getByText("Nada com estes filtros").waitFor();
    await page.getByRole("link", { name: "Ver tudo" }).click();
    await page.getByRole("link", { name: new RegExp(seller.name) }).click();
    await page.getByText("Pagamento confirmado", { exact: true }).waitFor();
    await page.locator("summary", { hasText: /^Você pagou/ }).click();
    await page.getByText("No provedor").first().waitFor();
    await screenshot(page, "transaction-payer-390-nojs");
    await page.getByRole("link", { name: "Ver recibo" }).click();
    await page.getByText("(não é nota fiscal)").waitFor();
    await page.getByText("Tereza Maria Lira").waitFor();
    await screenshot(page, "receipt-390-nojs");
    const pdf = await fan.get(`/settings/transactions/${chargeId}/recibo.pdf`);
    expect([pdf.status, pdf.headers.get("Content-Type"), (await pdf.text()).slice(0, 5)]).toEqual([
      200,
      "application/pdf",
      "%PDF-",
    ]);
  });

  test(
    "save billing details: errors show beside their fields, nothing typed is lost, and the receipt has them",
    { timeout: 60_000 },
    async () => {
      const page = await openPageAs(fan, "/settings/billing/details", {
        javaScript: false,
        width: 390,
      });
      const typed: [string, string][] = [
        ["CPF ou CNPJ", "12.ABC.345/01DE-34"],
        ["Nome completo ou razão social", "Paz Produções Ltda."],
        ["CEP", "50050000"],
        ["Rua", "Rua da Aurora"],
        ["Número", "295"],
        ["Bairro", "Boa Vista"],
        ["Cidade", "Recife"],
      ];
      for (const [label, text] of typed) await page.getByLabel(label, { exact: true }).fill(text);
      await page.getByLabel("Estado").selectOption("PE");
      await page.getByRole("button", { name: "Guardar" }).click();
      await page.getByText("Confira o CNPJ: os dígitos do fim não batem").waitFor();
      await expect.poll(() => page.getByLabel("Rua").inputValue()).toBe("Rua da Aurora");
      await expect.poll(() => page.getByLabel("Estado").inputValue()).toBe("PE");
      await page.getByLabel("CPF ou CNPJ", { exact: true }).fill("12.ABC.345/01DE-35");
      await page.getByRole("button", { name: "Guardar" }).click();
      await page.getByText("Pronto: seus recibos saem com estes dados.").waitFor();
      await page.goto(`/settings/transactions/${chargeId}/recibo`);
      await page.getByText("Paz Produções Ltda.").waitFor();
      await page.getByText("CEP 50050-000", { exact: false }).first().waitFor();
    },
  );
});

test("with JavaScript the separators of a CEP, CPF and CNPJ are typed automatically", async () => {
  const page = await openPageAs(fan, "/settings/billing/details");
  for (const [label, typed, shown] of [
    ["CEP", "01310100", "01310-100"],
    ["CPF ou CNPJ", "52998224725", "529.982.247-25"],
    ["CPF ou CNPJ", "12abc34501de35", "12.ABC.345/01DE-35"],
  ] as const) {
    const field = page.getByLabel(label, { exact: true });
    await field.fill("");
    await field.pressSequentially(typed);
    await expect.poll(() => field.inputValue()).toBe(shown);
  }
});

test(
  "a payer who withdraws within seven days gets a full refund on the same screen",
  { timeout: 60_000 },
  async () => {
    const other = await signUpMember(origin, "Carla Dias");
    const paid = await subscribeByPix(other, seller);
    const page = await openPageAs(other, `/settings/transactions/${paid}`);
    await page.getByRole("link", { name: "Desistir e receber tudo de volta" }).click();
    await page.getByRole("button", { name: "Desistir e receber de volta" }).click();
    await page.getByText("Pronto: tudo volta para você.").waitFor();
    await expect.poll(() => page.getByText("Devolvido", { exact: true }).count()).toBe(1);
  },
);

test("another member's payment is not found", async () => {
  const stranger = await signUpMember(origin, "Dora Alves");
  for (const rest of ["", "/recibo", "/recibo.pdf", "/refund", "/regret"])
    expect((await stranger.get(`/settings/transactions/${chargeId}${rest}`)).status).toBe(404);
});
