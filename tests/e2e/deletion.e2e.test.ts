import { afterAll, beforeAll, expect, test } from "vitest";
import type { RunningProduct } from "#scripts/local-product.ts";
import { newPage } from "#tests/support/browser.ts";
import { signUpMember, signUpSeller } from "#tests/support/form-client.ts";
import { mailTo } from "#tests/support/emails.ts";
import { ownProduct } from "#tests/support/own-product.ts";
import { advanceAndTick } from "#tests/support/sandbox.ts";
import { signInAsMember, hydrated, screenshot } from "#tests/support/steps.ts";
import { subscribeByPix } from "#tests/support/subscriber.ts";
import type { Page } from "playwright-core";

let coreto: RunningProduct;

beforeAll(async () => {
  coreto = await ownProduct();
});

afterAll(() => coreto.stop());

const textOf = async (page: Page) =>
  (await page.locator("main").innerText()).replaceAll("\u00a0", " ");

test(
  "an account deletion can be canceled, takes effect after thirty days, and refunds the subscriber of a creator",
  { timeout: 240_000 },
  async () => {
    const { origin } = coreto;
    const creator = await signUpSeller(origin, { price: "150,00", interval: "annual" });
    const [fan, other] = [
      await signUpMember(origin, "Bruno Sá"),
      await signUpMember(origin, "Clara Luz"),
    ];
    await subscribeByPix(fan, creator);
    await subscribeByPix(other, creator);

    // By keyboard alone: the consequences, the confirmation phrase, and the date.
    const page = await newPage({ origin, width: 390, height: 844 });
    await signInAsMember(page, fan);
    await page.goto("/auth/account");
    await page.getByRole("link", { name: /Excluir conta/ }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Excluir conta" }).waitFor();
    await hydrated(page);
    await expect.poll(() => textOf(page)).toContain("R$ 137,26");
    await screenshot(page, "deletion-390");
    await page.getByLabel("Para confirmar").fill("excluir");
    await page.keyboard.press("Enter");
    await page.getByText("Digite exatamente: excluir minha conta").waitFor();
    await page.getByLabel("Para confirmar").fill("Excluir minha conta");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: /^Sua conta será excluída em/ }).waitFor();
    // A fan has no creator page.
    await page.getByText("O que você assina continua aberto até o fim do período pago.").waitFor();
    await mailTo(origin, fan.email, "A sua conta será excluída em");

    // The fan cancels the deletion from the notice above any page.
    await page.goto("/explore");
    await page
      .getByRole("region", { name: "Exclusão da conta" })
      .getByRole("button", { name: "Manter minha conta" })
      .click();
    await page.getByText("Que bom! Sua conta continua como antes.").first().waitFor();
    await expect
      .poll(() => page.getByRole("region", { name: "Exclusão da conta" }).count())
      .toBe(0);
    await mailTo(origin, fan.email, "A sua conta do Coreto continua");

    // The fan asks again without JavaScript, and thirty days pass.
    const plain = await newPage({ origin, javaScript: false });
    await signInAsMember(plain, fan);
    await plain.goto("/auth/account/deletion");
    await plain.getByLabel("Para confirmar").fill("excluir minha conta");
    await plain.getByRole("button", { name: "Excluir minha conta" }).click();
    await plain.getByRole("heading", { name: /^Sua conta será excluída em/ }).waitFor();
    await plain.goto("/");
    await plain.getByRole("region", { name: "Exclusão da conta" }).waitFor();
    await advanceAndTick(origin, "P31D");
    await mailTo(origin, fan.email, "A sua conta do Coreto foi excluída");
    await mailTo(origin, fan.email, "Devolvemos");
    const gone = await newPage({ origin });
    await gone.goto("/auth/login");
    await gone.getByLabel("E-mail").first().fill(fan.email);
    await gone.getByLabel("Senha", { exact: true }).fill("uma senha comprida");
    await gone.getByRole("button", { name: "Entrar", exact: true }).click();
    await gone.getByText("incorretos").waitFor();

    // The creator deletes their account too: the other fan is refunded the unused days, and the
    // page is gone.
    const studio = await newPage({ origin });
    await signInAsMember(studio, creator);
    await studio.goto("/auth/account/deletion");
    await expect.poll(() => textOf(studio)).toContain("1 pessoa assina a sua página");
    await screenshot(studio, "deletion-creator-1280");
    await studio.getByLabel("Para confirmar").fill("excluir minha conta");
    await studio.getByRole("button", { name: "Excluir minha conta" }).click();
    await studio.getByRole("heading", { name: /^Sua conta será excluída em/ }).waitFor();
    const visitor = await newPage({ origin });
    expect((await visitor.goto(`/space/${creator.username}/public`))?.status()).toBe(404);
    await advanceAndTick(origin, "P31D");
    await mailTo(origin, other.email, "Devolvemos");
    const receipts = await newPage({ origin });
    await signInAsMember(receipts, other);
    await receipts.goto("/settings/subscriptions");
    await expect.poll(() => textOf(receipts)).toContain("Expirada");
  },
);
