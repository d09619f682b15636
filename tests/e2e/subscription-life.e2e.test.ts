import { beforeAll, expect, test } from "vitest";
import { newPage } from "#tests/support/browser.ts";
import { signUpMember, signUpSeller } from "#tests/support/form-client.ts";
import type { MemberClient, SellerClient } from "#tests/support/form-client.ts";
import { mailTo } from "#tests/support/emails.ts";
import { sharedServer } from "#tests/support/server.ts";
import { openPageAs, screenshot } from "#tests/support/steps.ts";
import { subscribeByPix } from "#tests/support/subscriber.ts";

let origin = "";
let seller: SellerClient;
let fan: MemberClient;
let path = "";

beforeAll(async () => {
  ({ origin } = sharedServer());
  seller = await signUpSeller(origin);
  fan = await signUpMember(origin, "Bruno Vida");
  await subscribeByPix(fan, seller);
  path =
    /\/settings\/subscriptions\/[0-9a-f]{32}/.exec(
      await (await fan.get("/settings/subscriptions")).text(),
    )?.[0] ?? "";
});

test(
  "a subscription is canceled in two taps, with an optional reason, and then resumed",
  { timeout: 60_000 },
  async () => {
    const page = await openPageAs(fan, "/settings/subscriptions");
    await page.getByText("Quanto apoio por mês").waitFor();
    await screenshot(page, "subscriptions-1280");
    await page
      .getByRole("link", { name: /Tereza Lira/ })
      .first()
      .click();
    await page.waitForURL(`**${path}`);
    await screenshot(page, "subscription-1280");
    // Two taps from the list: this one, and the confirmation.
    await page.goto("/settings/subscriptions");
    await page.getByRole("link", { name: /^Cancelar a assinatura de Tereza Lira/ }).click();
    await page.getByRole("button", { name: "Cancelar assinatura", exact: true }).click();
    await page.getByRole("heading", { name: "Assinatura cancelada" }).waitFor();
    await screenshot(page, "subscription-canceled-1280");
    await page.getByRole("button", { name: "Enviar", exact: true }).click();
    await page.getByText("Escolha um motivo, ou pule").waitFor();
    await page.getByLabel("Ficou caro para mim").check();
    await page.getByRole("button", { name: "Enviar", exact: true }).click();
    await page.waitForURL(`**${path}`);
    await page.getByText(/^Cancelada · termina em/).waitFor();
    const letter = await mailTo(origin, fan.email, "protocolo");
    // The link in the email resumes the subscription on any device, without a sign-in.
    const elsewhere = await newPage({ width: 390, height: 844, javaScript: false });
    await elsewhere.goto(/\/renewal\/reactivate\/\S+/.exec(letter.body)?.[0] ?? "");
    await screenshot(elsewhere, "renewal-link-390");
    await elsewhere.getByRole("button", { name: "Continuar assinando", exact: true }).click();
    await elsewhere.getByText(/^Ativa · renova em/).waitFor();
    await page.goto(path);
    await page.getByText(/^Ativa · renova em/).waitFor();
    expect(new URL(page.url()).pathname).toBe(path);
  },
);

test(
  "a subscription is canceled and resumed on a phone without JavaScript",
  { timeout: 60_000 },
  async () => {
    const page = await openPageAs(fan, path, { width: 390, height: 844, javaScript: false });
    await page.getByRole("link", { name: "Cancelar assinatura", exact: true }).click();
    await page.getByRole("button", { name: "Cancelar assinatura", exact: true }).click();
    await screenshot(page, "subscription-canceled-390");
    await page.getByRole("link", { name: "Desfazer", exact: true }).click();
    await screenshot(page, "subscription-reactivation-390");
    await page.getByRole("button", { name: "Reativar", exact: true }).click();
    await page.getByText(/^Ativa · renova em/).waitFor();
    await screenshot(page, "subscription-390");
    await page.getByRole("link", { name: "Pausar 1 mês", exact: true }).click();
    await screenshot(page, "subscription-pause-390");
    await page.getByRole("button", { name: "Pausar 1 mês", exact: true }).click();
    await page.getByText(/^Pausada · volta em/).waitFor();
    await screenshot(page, "subscription-paused-390");
    await page.getByRole("link", { name: "Voltar agora", exact: true }).click();
    await screenshot(page, "subscription-resumption-390");
    await page.getByRole("button", { name: "Voltar agora", exact: true }).click();
    await page.getByText(/^Ativa · renova em/).waitFor();
    expect(new URL(page.url()).pathname).toBe(path);
  },
);
