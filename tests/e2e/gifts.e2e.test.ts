import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { newPage } from "#tests/support/browser.ts";
import { signUpMember, signUpSeller } from "#tests/support/form-client.ts";
import type { SellerClient } from "#tests/support/form-client.ts";
import { payPix } from "#tests/support/sandbox.ts";
import { sharedServer } from "#tests/support/server.ts";
import { openPageAs, screenshot } from "#tests/support/steps.ts";

let origin = "";
let creator: SellerClient;
let giver: Awaited<ReturnType<typeof signUpMember>>;
let getter: Awaited<ReturnType<typeof signUpMember>>;

beforeAll(async () => {
  ({ origin } = sharedServer());
  [creator, giver, getter] = [
    await signUpSeller(origin),
    await signUpMember(origin, "Bruno Sá"),
    await signUpMember(origin, "Clara Nunes"),
  ];
});

const textOf = async (page: Page, label: string): Promise<string> =>
  (await page.getByLabel(label, { exact: true }).innerText()).trim();

/** Pays by Pix for the time after the gift, sees the start date, and cancels the subscription. */
async function followedAndLeft(page: Page): Promise<void> {
  await page
    .getByRole("link", { name: new RegExp(creator.name) })
    .first()
    .click();
  await page.getByRole("link", { name: "Continuar depois" }).click();
  await page.getByRole("heading", { name: "Assine agora, e siga sem intervalo" }).waitFor();
  await page.getByRole("button", { name: "Pagar com Pix" }).click();
  await page.getByRole("heading", { name: "Pague com Pix, e siga sem intervalo" }).waitFor();
  await payPix(origin, await textOf(page, "Código Pix"));
  await page
    .getByRole("heading", { name: /^Pronto, Clara: começa em \d\d\/\d\d\/\d{4}$/ })
    .waitFor();
  await page.goto("/settings/subscriptions");
  await page.getByText(/^Começa em \d\d\/\d\d$/).click();
  await page.getByText("Já pago até").waitFor();
  await screenshot(page, "upcoming-1440");
  await page.getByRole("link", { name: "Cancelar assinatura" }).click();
  await page.getByText("Ela ainda não começou: devolvemos tudo.").waitFor();
  await screenshot(page, "upcoming-cancel-1440");
  await page.getByRole("button", { name: "Cancelar e receber tudo de volta" }).click();
  await page.getByText("Assinatura encerrada. Tudo volta para você.").waitFor();
  await page.goto("/settings/subscriptions");
}

describe("gift subscription", () => {
  test(
    "is bought with a Pix paid by somebody else, handed over, and opened by its receiver",
    { timeout: 150_000 },
    async () => {
      const page = await openPageAs(giver, `/space/${creator.username}`, { width: 390 });
      await page.getByRole("link", { name: `Dar de presente: ${creator.planName}` }).click();
      await page.getByRole("heading", { name: "Dar de presente" }).waitFor();
      await page.getByLabel("Nome de quem recebe").fill("Clara");
      await page.getByLabel("E-mail de quem recebe").fill("clara");
      await page.getByLabel("Mensagem").fill("Para você dançar.");
      await screenshot(page, "gift-form-390");
      await page.getByRole("button", { name: "Pagar com Pix" }).click();
      await page.getByText("Confira o e-mail", { exact: true }).waitFor();
      await expect.poll(() => page.getByLabel("Mensagem").inputValue()).toBe("Para você dançar.");
      await page.getByLabel("E-mail de quem recebe").fill("");
      await page.getByRole("button", { name: "Pagar com Pix" }).click();
      await page
        .getByRole("heading", { name: "Pague com Pix, e o presente fica pronto" })
        .waitFor();
      await page.getByText("Pedir para alguém pagar").click();
      await screenshot(page, "gift-pix-390");

      const payer = await newPage({ origin, width: 1440, theme: "dark" });
      await payer.goto(await textOf(page, "Endereço para pagar"));
      await payer.getByRole("heading", { name: "Bruno pediu um Pix a você" }).waitFor();
      await screenshot(payer, "shared-pix-1440");
      await payPix(origin, await textOf(payer, "Código Pix"));
      await payer.getByRole("heading", { name: "Pago" }).waitFor();
      await screenshot(payer, "shared-pix-paid-1440");

      await page.getByRole("heading", { name: "Presente para Clara" }).waitFor();
      await page.getByText("A entregar", { exact: true }).waitFor();
      await screenshot(page, "gift-given-390");
      const link = await textOf(page, "Endereço do presente");
      await page.getByRole("link", { name: "Cartão para imprimir" }).click();
      await page.getByRole("heading", { name: "Para Clara" }).waitFor();
      await screenshot(page, "gift-card-390");

      const stranger = await newPage({ origin, width: 390 });
      await stranger.goto(link);
      await stranger
        .getByRole("heading", { name: "Clara, um presente de Bruno Sá para você" })
        .waitFor();
      await screenshot(stranger, "gift-stranger-390");
      await stranger.getByRole("link", { name: "Entrar", exact: true }).waitFor();

      const clara = await openPageAs(getter, new URL(link).pathname, { width: 1440 });
      await clara.getByText("“Para você dançar.”").waitFor();
      await screenshot(clara, "gift-claim-1440");
      await clara.getByRole("button", { name: "Abrir o presente" }).click();
      await clara.getByText(/^Pronto: está tudo aberto para você até/).waitFor();
      await clara.goto("/settings/subscriptions");
      await clara.getByText(/^Presente · até /).waitFor();
      await screenshot(clara, "gift-subscription-1440");
      await followedAndLeft(clara);

      await page.goto("/settings/purchases");
      await page.getByText(/^Resgatado por Clara Nunes em /).waitFor();
      await screenshot(page, "gift-list-390");
      await page.getByRole("link", { name: /Para Clara/ }).click();
      await page.getByRole("link", { name: "Desistir do presente" }).click();
      await page.getByRole("button", { name: "Desistir e receber de volta" }).click();
      await page.getByText("Pronto: tudo volta para você.").waitFor();
      await clara.reload();
      await expect.poll(() => clara.getByText("Expirada", { exact: true }).count()).toBe(2);
    },
  );
});
