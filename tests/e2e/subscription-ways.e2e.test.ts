import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { RunningProduct } from "#scripts/local-product.ts";
import {
  approveDocumentsAt,
  signUpMember,
  signUpSeller,
  uploadDocumentsOf,
} from "#tests/support/form-client.ts";
import type { MemberClient, SellerClient } from "#tests/support/form-client.ts";
import { testClock } from "#tests/support/clock.ts";
import { makeModerator, ownProduct } from "#tests/support/own-product.ts";
import { picture } from "#tests/support/picture.ts";
import {
  advanceAndTick,
  payPix,
  sandboxAct,
  sandboxCharge,
  settleDebit,
} from "#tests/support/sandbox.ts";
import { hydrated, openPageAs, screenshot } from "#tests/support/steps.ts";
import { subscribeByPix } from "#tests/support/subscriber.ts";

let coreto: RunningProduct;
let origin = "";
let seller: SellerClient;
/** A second plan of the same page, with a trial of seven days. */
let trialPlanId = "";

// This test moves the clock of its product, so it shares the product with no other test.
beforeAll(async () => {
  coreto = await ownProduct();
  ({ origin } = coreto);
  seller = await signUpSeller(origin, { price: "39,90" });
  const plan = {
    name: "Ensaio",
    description: "",
    benefits: "Ensaios",
    price: "19,90",
    interval: "monthly",
    seats: "",
    trialDays: "7",
    welcomeMessage: "",
  };
  const path = await seller.postAndFollow("/plan/create", plan);
  trialPlanId = /\/plan\/([^/]+)\//.exec(path)?.[1] ?? "";
  if (path.endsWith("/activation")) await seller.postAndFollow(path, {});
  await approved(seller);
});

/**
 * Sends and approves the documents of a seller. Without approval, selling stops after two weeks,
 * and the clock goes further.
 */
async function approved(who: SellerClient): Promise<void> {
  await uploadDocumentsOf(who);
  const moderator = await signUpMember(origin, "Carla Reis");
  await makeModerator(coreto, moderator.email);
  const [path = ""] =
    /\/admin\/documents\/[0-9a-f]{32}/.exec(
      await (await moderator.get("/admin/documents")).text(),
    ) ?? [];
  await approveDocumentsAt(moderator, path, { expiresOn: "31/12/2035" });
}

afterAll(() => coreto.stop());

const on = (
  member: MemberClient,
  path: string,
  options: { width?: number; javaScript?: boolean } = {},
) => openPageAs(member, path, { origin, ...options });

/** Reloads `path` until it shows `words`: provider events and crons arrive asynchronously. */
async function says(page: Page, path: string, words: string | RegExp): Promise<void> {
  await expect
    .poll(
      async () => {
        await page.goto(path);
        return page.getByText(words).count();
      },
      { timeout: 30_000 },
    )
    .toBeGreaterThan(0);
}

const chargeOf = (page: Page): string => new URL(page.url()).pathname.split("/").at(-1) ?? "";

/** Returns every "R$ 1.234,56" of `text` in centavos. */
const centsIn = (text: string): number[] =>
  [...text.matchAll(/R\$\s([\d.]+),(\d\d)/g)].map(([, whole = "", cents = ""]) =>
    Number(whole.replaceAll(".", "") + cents),
  );

test(
  "a creator answers a dispute with a text and a document, sees its effect on the balance, and wins",
  { timeout: 60_000 },
  async () => {
    const fan = await signUpMember(origin, "Caio Contesta");
    const chargeId = await subscribeByPix(fan, seller);
    const { id: disputeId } = (await sandboxAct(
      origin,
      `charges/${(await sandboxCharge(origin, chargeId)).id}/dispute`,
    )) as { id: string };
    // Without JavaScript, the form sends a file too.
    const page = await on(seller, "/settings/transactions/disputes", {
      width: 390,
      javaScript: false,
    });
    await says(page, "/settings/transactions/disputes", /de Caio Contesta/);
    await screenshot(page, "disputes-390-nojs");
    await page.getByRole("link", { name: /Caio Contesta/ }).click();
    await page.getByText("Bloqueado agora").waitFor();
    await page.getByRole("link", { name: "Responder", exact: true }).click();
    await page.getByLabel("O que aconteceu").fill("Caio assinou, leu e comentou.");
    await page
      .getByLabel("Juntar um arquivo")
      .setInputFiles({ name: "recibo.png", mimeType: "image/png", buffer: picture(3) });
    await page.getByLabel("O que o arquivo mostra").selectOption("receipt");
    await page.getByRole("button", { name: "Guardar rascunho da resposta" }).click();
    await page.getByRole("link", { name: /^recibo\.png/ }).waitFor();
    await screenshot(page, "dispute-evidence-390-nojs");
    await page.getByRole("link", { name: "Revisar e enviar" }).click();
    await page.getByRole("button", { name: "Enviar a resposta" }).click();
    await page.waitForURL(/\/disputes\/[^/]+$/);
    const path = new URL(page.url()).pathname;
    await says(page, path, "Sua resposta foi enviada. Agora o banco decide, e avisamos você.");
    await sandboxAct(origin, `disputes/${disputeId}/win`);
    await says(page, path, "Ganha");
    await page.getByText("o que estava bloqueado voltou a ser seu").waitFor();
    await expect
      .poll(() => page.getByRole("link", { name: "Responder", exact: true }).count())
      .toBe(0);
    await screenshot(page, "dispute-won-390-nojs");
  },
);

test(
  "a card trial becomes a paid month; a plan change is paid to the centavo and refunded in the cooling-off period",
  { timeout: 60_000 },
  async () => {
    const page = await on(
      await signUpMember(origin, "Bruno Grátis"),
      `/checkout?plan=${trialPlanId}`,
      { width: 390 },
    );
    await page.getByRole("radio", { name: /^Cartão/ }).check();
    const frame = page.frameLocator('iframe[title="Dados do cartão"]');
    const begin = page.getByRole("button", { name: /^Começar 7 dias grátis · R\$\s19,90 em/ });
    await begin.scrollIntoViewIfNeeded();
    await page.getByLabel("CPF ou CNPJ").fill("529.982.247-25");
    for (const [label, typed] of [
      ["Número do cartão", "4242424242424242"],
      ["Validade", "12/30"],
      ["CVV", "321"],
      ["Nome no cartão", "BRUNO GRATIS"],
    ] as const)
      await frame.getByLabel(label).fill(typed);
    await screenshot(page, "trial-card-390");
    await begin.click();
    await page.getByRole("heading", { name: "Pronto, Bruno: pode entrar" }).waitFor();
    await screenshot(page, "trial-welcome-390");
    await page.getByRole("link", { name: "Minhas assinaturas" }).click();
    await page.getByText(/^Período grátis · até/).waitFor();
    const path =
      (await page.locator('a[href^="/settings/subscriptions/"]').first().getAttribute("href")) ??
      "";
    await advanceAndTick(origin, "P8D");
    await says(page, path, /^Ativa · renova em/);

    await page.getByRole("link", { name: "Mudar de plano", exact: true }).click();
    await page.getByRole("link", { name: /^Mudar para Camarim/ }).click();
    await page.getByText("Diferença, agora").waitFor();
    const [cost = 0, credit = 0, due = -1] = centsIn(await page.locator("dl").first().innerText());
    expect([cost - credit, due > 0 && cost <= 3_990]).toEqual([due, true]);
    await screenshot(page, "plan-change-390");
    await hydrated(page);
    await page.getByRole("radio", { name: /•••• 4242|^Cartão guardado em/ }).check();
    await page.getByRole("button", { name: "Pagar com cartão" }).click();
    await page.getByRole("heading", { name: /^Pronto, Bruno: agora é Camarim$/ }).waitFor();
    await says(page, path, `Diferença de R$ ${(due / 100).toFixed(2).replace(".", ",")}`);
    await page.getByRole("link", { name: "Desistir da mudança" }).click();
    await page.getByRole("button", { name: "Desistir e receber de volta" }).click();
    await page.getByText("Pronto: tudo volta para você.").first().waitFor();
    await says(page, path, /a mudança foi desfeita/);
    await page.getByRole("heading", { name: "Ensaio", exact: true }).waitFor();
    await screenshot(page, "plan-change-regretted-390");
  },
);

test(
  "a Pix mandate is authorized, debited, named on receipts and ended at the bank; then months are prepaid",
  { timeout: 60_000 },
  async () => {
    const page = await on(
      await signUpMember(origin, "Bia Débito"),
      `/checkout?plan=${seller.planId}`,
      { width: 390 },
    );
    await page.getByRole("radio", { name: /^Pix Automático/ }).check();
    await page.getByText("na véspera da renovação").waitFor();
    await screenshot(page, "automatic-consent-390");
    await page.getByRole("button", { name: "Pagar e autorizar no banco" }).click();
    await page.waitForURL(/\/checkout\/[^?]+$/);
    await page
      .getByRole("heading", { name: "Este código também autoriza o Pix Automático" })
      .waitFor();
    await screenshot(page, "automatic-code-390");
    const { recurringPixId } = await sandboxCharge(origin, chargeOf(page));
    await sandboxAct(origin, `recurring/${recurringPixId ?? ""}/approve`);
    // The open page changes by itself.
    await page.getByRole("heading", { name: "Pix Automático autorizado" }).waitFor();

    // Five days before the next period the debit is instructed; the bank then debits.
    await advanceAndTick(origin, "P26D");
    await says(page, "/settings/transactions", "Em processamento");
    await page.getByRole("link", { name: /Em processamento$/ }).click();
    await page.waitForURL(/\/settings\/transactions\/[0-9a-f]{32}$/);
    const debit = new URL(page.url()).pathname;
    await settleDebit(origin, chargeOf(page));
    await says(page, debit, "Pagamento confirmado");
    await page.goto("/settings/transactions");
    await expect.poll(() => page.getByText(/ · Pix Automático$/).count()).toBe(2);
    await screenshot(page, "automatic-statement-390");
    await page.goto(debit);
    await page.getByRole("link", { name: "Ver recibo" }).click();
    await page.getByText("Pix Automático", { exact: true }).waitFor();

    await sandboxAct(origin, `recurring/${recurringPixId ?? ""}/cancel`);
    await page.goto("/settings/subscriptions");
    await page
      .getByRole("link", { name: /Tereza/ })
      .first()
      .click();
    await page.waitForURL(/\/settings\/subscriptions\/[0-9a-f]{32}$/);
    const path = new URL(page.url()).pathname;
    await says(page, `${path}/payment-method`, "Passar para o Pix Automático");
    await page.goto(`${path}/ahead`);
    await page.getByRole("radio", { name: /^3 meses/ }).check();
    await screenshot(page, "ahead-390");
    await hydrated(page);
    await page.getByRole("button", { name: "Pagar com Pix" }).click();
    await page.waitForURL(/\/checkout\/[^?]+$/);
    await page.getByRole("heading", { name: "Pague com Pix e siga assinando" }).waitFor();
    await payPix(origin, (await sandboxCharge(origin, chargeOf(page))).pixCode ?? "");
    await page.getByRole("heading", { name: /^Pronto, Bia: está pago$/ }).waitFor();
  },
);

test(
  "a subscriber accepts a price change; then the creator's vacation is shown to both sides and ends",
  { timeout: 60_000 },
  async () => {
    const fan = await signUpMember(origin, "Duda Fiel");
    await subscribeByPix(fan, seller);
    const subscription =
      /\/settings\/subscriptions\/[0-9a-f]{32}/.exec(
        await (await fan.get("/settings/subscriptions")).text(),
      )?.[0] ?? "";
    const locked = await seller.postAndFollow("/post/create", {
      title: "Só para quem assina",
      content: "Segredo.",
      ways: "subscribers",
    });
    await seller.postAndFollow(`/plan/${seller.planId}/update`, {
      name: seller.planName,
      description: "",
      benefits: "Ensaios",
      price: "44,90",
      interval: "monthly",
      seats: "",
      trialDays: "",
      welcomeMessage: "",
    });
    const studio = await on(seller, `/plan/${seller.planId}/update`);
    await studio.getByRole("link", { name: /^Pedir a/ }).click();
    await screenshot(studio, "price-ask-1280");
    await studio.getByRole("button", { name: /^Pedir a/ }).click();
    await studio.getByText(/^Você pediu R\$\s44,90/).waitFor();

    const page = await on(fan, subscription, { width: 390 });
    await page.getByRole("link", { name: "Responder", exact: true }).click();
    await screenshot(page, "price-answer-390");
    await page.getByRole("button", { name: /^Aceitar R\$\s44,90/ }).click();
    await page.getByText(/Você aceitou R\$\s44,90/).waitFor();
    await says(studio, `/plan/${seller.planId}/update`, /1 aceitou/);

    await studio.goto("/me/vacation");
    await studio.getByLabel("7 dias").check();
    await studio.getByRole("button", { name: "Ver como fica" }).click();
    await studio.getByRole("button", { name: "Começar as férias" }).click();
    await studio.getByRole("link", { name: "Voltar agora" }).waitFor();
    await says(page, subscription, /está de férias até/);
    await screenshot(page, "vacation-fan-390");
    const stranger = await on(await signUpMember(origin, "Eva Chega"), locked, { width: 390 });
    await stranger.getByText(/^De férias até \d\d\/\d\d$/).waitFor();
    await expect.poll(() => stranger.getByRole("link", { name: /^Assinar/ }).count()).toBe(0);
    await screenshot(stranger, "vacation-locked-390");
    await studio.getByRole("link", { name: "Voltar agora" }).click();
    await studio.getByRole("button", { name: "Voltar das férias" }).click();
    await studio.getByText("Bom ter você de volta!").first().waitFor();
    await stranger.reload();
    await stranger
      .getByRole("link", { name: /^Assinar/ })
      .first()
      .waitFor();
  },
);

test(
  "the refund of an old payment asks the payer for a Pix key, and shows when the Pix was sent",
  { timeout: 60_000 },
  async () => {
    const fan = await signUpMember(origin, "Gil Volta");
    const chargeId = await subscribeByPix(fan, seller);
    await aged(chargeId);
    const refund = `/settings/transactions/${chargeId}/refund`;
    const refundId =
      /name="refundId"[^>]*value="([^"]+)"/.exec(
        await (await seller.get(`${refund}?amount=10,00`)).text(),
      )?.[1] ?? "";
    await seller.postAndFollow(refund, { refundId, amountCents: "1000", reason: "" });

    const page = await on(fan, `/settings/transactions/${chargeId}`, { width: 390 });
    await page.getByRole("link", { name: "Informar a chave Pix" }).click();
    const key = page.getByLabel("Sua chave Pix (CPF ou CNPJ)");
    await key.fill("111.111.111-11");
    await key.press("Enter");
    await expect.poll(() => key.getAttribute("aria-invalid")).toBe("true");
    await screenshot(page, "refund-key-390");
    await key.fill("529.982.247-25");
    await key.press("Enter");
    await page.getByText(/^O Pix está a caminho da sua chave/).waitFor();
    // The focused field disappears: the focus moves to the result.
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.getAttribute("role")))
      .toBe("status");
    await sandboxAct(origin, "clock", { advance: "PT1M" });
    await says(page, new URL(page.url()).pathname, "Pronto: o Pix foi feito.");
    await screenshot(page, "refund-key-paid-390");
  },
);

/** Makes a payment ninety-one days old, here and at the provider. */
async function aged(chargeId: string): Promise<void> {
  const at = testClock.now() - 91 * 24 * 3_600_000;
  const { id: atProvider } = await sandboxCharge(origin, chargeId);
  const [ours, theirs] = [
    await coreto.miniflare.getD1Database("DB", "app"),
    await coreto.miniflare.getD1Database("PSP_DB", "sandbox-psp"),
  ];
  await ours
    .prepare("UPDATE charges SET created_at = ?1, succeeded_at = ?1 WHERE id = ?2")
    .bind(at, chargeId)
    .run();
  await theirs
    .prepare("UPDATE charges SET succeeded_at = ?1 WHERE id = ?2")
    .bind(at, atProvider)
    .run();
}
