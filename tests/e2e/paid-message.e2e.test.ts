import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { signUpMember, signUpSeller } from "#tests/support/form-client.ts";
import type { FormClient, NewMemberInput, SellerClient } from "#tests/support/form-client.ts";
import { picture } from "#tests/support/picture.ts";
import { payPix } from "#tests/support/sandbox.ts";
import { sharedServer } from "#tests/support/server.ts";
import { hydrated, openPageAs, screenshot } from "#tests/support/steps.ts";

let origin = "";
let creator: SellerClient;
let fan: FormClient & NewMemberInput;
beforeAll(async () => {
  ({ origin } = sharedServer());
  creator = await signUpSeller(origin);
  fan = await signUpMember(origin, "Bento Reis");
});

const box = (page: Page) => page.getByRole("textbox", { name: "Mensagem" });
const send = (page: Page) => page.getByRole("button", { name: "Enviar", exact: true });
const talk = (page: Page) => page.getByRole("region", { name: /^Conversa com/ });
const copied = async (page: Page): Promise<string> => {
  await page.getByRole("button", { name: "Copiar código Pix" }).click();
  await page.getByRole("button", { name: "Copiado" }).waitFor();
  return await page.evaluate(() => navigator.clipboard.readText());
};

test(
  "a file with a price is sent, seen locked, bought by Pix and opened in its conversation, and a tip becomes a line of it",
  { timeout: 150_000 },
  async () => {
    const page = await openPageAs(fan, `/messages/new/${creator.username}`, {
      width: 390,
      height: 844,
    });
    await box(page).fill("Tem gravação nova?");
    await send(page).click();
    await talk(page).getByText("Tem gravação nova?").waitFor();

    const studio = await openPageAs(creator, "/messages?filter=requests", {
      width: 1440,
      height: 900,
    });
    await studio.getByRole("link", { name: /Tem gravação nova/ }).click();
    await studio.getByRole("button", { name: "Aceitar" }).click();
    await studio.getByText("Anexar arquivo").click();
    await studio
      .getByLabel(/^Arquivo/)
      .setInputFiles({ name: "capa.png", mimeType: "image/png", buffer: picture(4, 900, 600) });
    await studio.getByRole("textbox", { name: /^Preço/ }).fill("3");
    await box(studio).fill("A capa do disco");
    await send(studio).click();
    await studio.getByText(/^O preço mínimo é R\$\s5,00$/).waitFor();
    await studio
      .getByLabel(/^Arquivo/)
      .setInputFiles({ name: "capa.png", mimeType: "image/png", buffer: picture(4, 900, 600) });
    await studio.getByRole("textbox", { name: /^Preço/ }).fill("15,00");
    await screenshot(studio, "paid-message-form-1440");
    await send(studio).click();
    await talk(studio)
      .getByText(/^À venda por R\$\s15,00$/)
      .waitFor();

    await page.goto("/messages");
    await page
      .getByRole("link", { name: new RegExp(creator.name) })
      .first()
      .click();
    await talk(page).getByText("Foto à venda").waitFor();
    await expect
      .poll(() => talk(page).getByRole("img", { name: "Foto sem descrição" }).count())
      .toBe(0);
    await screenshot(page, "paid-message-locked-390");
    await talk(page)
      .getByRole("link", { name: /^Comprar por R\$\s15,00$/ })
      .click();
    await page.getByRole("button", { name: /Pix/ }).last().click();
    const code = await copied(page);
    await payPix(origin, code);
    await page.waitForURL((url) => /^\/messages\/[0-9a-f]{32}$/.test(url.pathname));
    await talk(page)
      .getByText(/^Você comprou por R\$\s15,00$/)
      .waitFor();
    await talk(page).getByRole("img", { name: "Foto sem descrição" }).waitFor();
    await screenshot(page, "paid-message-bought-390");
    await studio.reload();
    await talk(studio)
      .getByText(/^Foi comprada por R\$\s15,00$/)
      .waitFor();

    await hydrated(page);
    await page.getByText("Opções da conversa").click();
    await page.getByRole("link", { name: "Mandar um apoio" }).click();
    await page.getByRole("button", { name: "Apoiar com Pix" }).click();
    await payPix(origin, await copied(page));
    await page.getByRole("heading", { name: /seu apoio chegou/ }).waitFor();
    await expect
      .poll(
        async () => {
          await studio.reload();
          return await talk(studio)
            .getByText(/^Apoio de R\$/)
            .count();
        },
        { timeout: 30_000, interval: 2_000 },
      )
      .toBe(1);
    await screenshot(studio, "paid-message-tip-1440");
  },
);
