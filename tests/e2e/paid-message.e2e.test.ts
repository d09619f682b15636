import { beforeAll, expect, test } from "vitest";
import type { Page } from "playwright-core";
import { signUpMember, signUpSeller } from "#tests/support/form-client.ts";
import type { MemberClient, SellerClient } from "#tests/support/form-client.ts";
import { picture } from "#tests/support/picture.ts";
import { payPix } from "#tests/support/sandbox.ts";
import { sharedServer } from "#tests/support/server.ts";
import { hydrated, openPageAs, screenshot } from "#tests/support/steps.ts";

let origin = "";
let creator: SellerClient;
let fan: MemberClient;

beforeAll(async () => {
  ({ origin } = sharedServer());
  creator = await signUpSeller(origin);
  fan = await signUpMember(origin, "Bento Reis");
});

const talk = (page: Page) => page.getByRole("region", { name: /^Conversa com/ });
const box = (page: Page) => page.getByRole("textbox", { name: "Mensagem" });

test(
  "a creator sends a locked picture, the fan buys it by Pix and sees it, and the creator sees that it was bought",
  { timeout: 120_000 },
  async () => {
    const page = await openPageAs(fan, `/messages/new/${creator.username}`, {
      width: 390,
      height: 844,
    });
    await hydrated(page);
    await box(page).fill("Tem foto do ensaio?");
    await box(page).press("Enter");
    await talk(page).getByText("Tem foto do ensaio?").waitFor();
    const conversation = new URL(page.url()).pathname;

    const studio = await openPageAs(creator, conversation, { width: 1440, height: 900 });
    await studio.getByRole("button", { name: "Aceitar" }).click();
    await studio.getByRole("button", { name: "Aceitar" }).waitFor({ state: "detached" });
    await hydrated(studio);
    await studio.getByText("Anexar arquivos").click();
    await studio
      .getByLabel("Fotos, vídeos, áudios ou PDFs")
      .setInputFiles({ name: "foto.png", mimeType: "image/png", buffer: picture(4, 900, 600) });
    await studio.getByText(/^Pronto · /).waitFor();
    await studio.getByRole("textbox", { name: "Descrição" }).fill("A banda no quintal");
    await studio.getByLabel("Preço").fill("15,00");
    await box(studio).fill("Tem, esta aqui");
    await studio.getByRole("button", { name: "Enviar", exact: true }).click();
    await talk(studio)
      .getByText(/^À venda por R\$\s15,00$/)
      .waitFor();

    const buy = talk(page).getByRole("link", { name: /^Comprar por R\$\s15,00$/ });
    await buy.waitFor();
    await expect.poll(() => talk(page).getByRole("img").count()).toBe(0);
    await screenshot(page, "paid-message-locked-390");
    await buy.click();
    await page.waitForURL("**/checkout?message=**");
    await hydrated(page);
    await page.getByRole("button", { name: "Pagar com Pix" }).click();
    await page.waitForURL(/\/checkout\/[^?]+$/);
    await hydrated(page);
    await page.getByRole("button", { name: "Copiar código Pix" }).click();
    await page.getByRole("button", { name: "Copiado" }).waitFor();
    await payPix(origin, await page.evaluate(() => navigator.clipboard.readText()));
    await page.waitForURL((url) => url.pathname.startsWith("/messages/"));
    await page.getByRole("img", { name: "A banda no quintal" }).waitFor();
    await page.goto(conversation);
    await talk(page).getByRole("img", { name: "A banda no quintal" }).waitFor();
    await talk(page)
      .getByText(/^Você comprou por R\$\s15,00$/)
      .waitFor();
    await screenshot(page, "paid-message-bought-390");
    await studio.reload();
    await talk(studio)
      .getByText(/^Foi comprada por R\$\s15,00$/)
      .waitFor();
  },
);
