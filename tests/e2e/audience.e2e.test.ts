import { beforeAll, expect, test } from "vitest";
import { signUpMember, signUpSeller } from "#tests/support/form-client.ts";
import type { MemberClient, SellerClient } from "#tests/support/form-client.ts";
import { sharedServer } from "#tests/support/server.ts";
import { openPageAs, screenshot } from "#tests/support/steps.ts";
import { subscribeByPix } from "#tests/support/subscriber.ts";

let seller: SellerClient;
let fan: MemberClient;

beforeAll(async () => {
  const { origin } = sharedServer();
  seller = await signUpSeller(origin);
  fan = await signUpMember(origin, "Bruno Conceição");
  await subscribeByPix(fan, seller);
});

test(
  "a creator opens their subscriber list, finds one without typing accents, and downloads it as a spreadsheet",
  { timeout: 60_000 },
  async () => {
    const page = await openPageAs(seller, "/me");
    await page.getByText("Menu", { exact: true }).click();
    await page.getByRole("link", { name: "Assinantes", exact: true }).click();
    await page.getByRole("heading", { name: "Assinantes", level: 1 }).waitFor();
    await page
      .getByRole("region", { name: "Receita por mês" })
      .getByText(/R\$\s19,90/)
      .waitFor();
    await page.getByText("Procurar e filtrar").click();
    await page.getByLabel("Nome ou @usuário").fill("ninguem");
    await page.getByLabel("Nome ou @usuário").press("Enter");
    await page.getByRole("heading", { name: "Ninguém com estes filtros" }).waitFor();
    await screenshot(page, "audience-nobody-1280");
    await page.getByLabel("Nome ou @usuário").fill("conceicao");
    await page.getByLabel("Nome ou @usuário").press("Enter");
    await page
      .getByRole("list", { name: "Assinantes" })
      .getByRole("link", { name: /^Bruno Conceição @/ })
      .waitFor();
    const download = page.waitForEvent("download");
    await page.getByRole("link", { name: "Baixar planilha" }).click();
    expect((await download).suggestedFilename()).toMatch(/^coreto-assinantes-.*\.csv$/);
  },
);

test(
  "a creator gives a complimentary subscription without JavaScript; the receiver is notified and cancels it",
  { timeout: 60_000 },
  async () => {
    const guest = await signUpMember(seller.origin, "Lia Prado");
    const page = await openPageAs(seller, "/me/subscribers/comp", {
      javaScript: false,
      width: 390,
    });
    await page.getByLabel("Para quem").fill("ninguem.tem.este");
    await page.getByLabel("Por quanto tempo").selectOption("3");
    await page.getByRole("button", { name: "Dar a assinatura" }).click();
    await page.getByText("Não encontramos esse nome de usuário.").waitFor();
    await expect.poll(() => page.getByLabel("Por quanto tempo").inputValue()).toBe("3");
    await screenshot(page, "comp-create-390-nojs");
    await page.getByLabel("Para quem").fill(`@${guest.username}`);
    await page.getByRole("button", { name: "Dar a assinatura" }).click();
    await page
      .getByRole("list", { name: "Assinantes" })
      .getByRole("link", { name: /^Lia Prado @/ })
      .waitFor();
    await screenshot(page, "comp-list-390-nojs");
    const hers = await openPageAs(guest, "/settings/subscriptions");
    await hers.getByRole("link", { name: /Tereza Lira.*sem cobrança.*Cortesia/s }).click();
    await hers.getByRole("link", { name: "Deixar a cortesia", exact: true }).waitFor();
    await screenshot(hers, "comp-fan-1280");
    await hers.getByRole("link", { name: "Deixar a cortesia", exact: true }).click();
    await hers.getByRole("button", { name: "Deixar a cortesia", exact: true }).click();
    await hers.getByText("Cortesia encerrada", { exact: true }).waitFor();
  },
);

test(
  "without JavaScript, on a phone, status filters are links and each subscriber's payments are one tap away",
  { timeout: 60_000 },
  async () => {
    const page = await openPageAs(seller, "/me/subscribers", { javaScript: false, width: 390 });
    await screenshot(page, "audience-390-nojs");
    await page.getByRole("link", { name: /^Ativas 1/ }).click();
    await page.getByRole("link", { name: "Pagamentos de Bruno Conceição" }).click();
    await page.getByRole("heading", { name: "Extrato" }).waitFor();
    await expect.poll(() => page.getByRole("link", { name: /De Bruno Conceição/ }).count()).toBe(1);
  },
);
