import type { Locator, Page } from "playwright-core";
import { expect, test } from "vitest";
import { newPage } from "#tests/support/browser.ts";
import { signUpSeller } from "#tests/support/form-client.ts";
import { picture } from "#tests/support/picture.ts";
import { sharedServer } from "#tests/support/server.ts";
import { signInAsMember, hydrated, screenshot } from "#tests/support/steps.ts";

const landscape = (name: string) => ({
  name,
  mimeType: "image/png",
  buffer: picture(11, 900, 600),
});

/** Returns the width over the height of an image, once it has loaded. */
async function shapeOf(image: Locator): Promise<number> {
  await expect
    .poll(() =>
      image.evaluate(
        (shown) => shown instanceof HTMLImageElement && shown.complete && shown.naturalWidth > 0,
      ),
    )
    .toBe(true);
  return image.evaluate((shown) =>
    shown instanceof HTMLImageElement ? shown.naturalWidth / shown.naturalHeight : 0,
  );
}

const avatarOf = (page: Page) => page.locator('main header img[src*="/320"]').first();
const bannerOf = (page: Page) => page.locator('main header img[src*="/1280"]').first();

async function save(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Salvar", exact: true }).press("Enter");
  await page.getByText("Página pública salva.").first().waitFor();
}

test("a picture and a banner are cropped by keyboard before upload, and links show their destination", async () => {
  const { origin } = sharedServer();
  const ana = await signUpSeller(origin, { name: "Ana do Recorte" });
  const page = await newPage({ width: 390, height: 844 });
  await signInAsMember(page, ana);
  await page.goto("/settings/profile");
  await hydrated(page);
  await page.getByLabel(/^Foto de perfil/).setInputFiles(landscape("foto.png"));
  const face = page.getByRole("group", { name: "Recortar: Foto de perfil" });
  await face.getByText("Vai assim.").waitFor();
  await face.getByLabel("Aproximar").press("End");
  await face.getByLabel(/^Área do recorte/).focus();
  await page.keyboard.press("ArrowRight");
  await page.getByLabel(/^Capa da página/).setInputFiles(landscape("capa.png"));
  await page
    .getByRole("group", { name: "Recortar: Capa da página" })
    .getByText("Vai assim.")
    .waitFor();
  await screenshot(page, "profile-crop-390");
  await page.getByLabel("Nome do link 1").fill("Minha loja");
  await page.getByLabel("Endereço do link 1").fill("javascript:alert(1)");
  await page.getByRole("button", { name: "Mais um link" }).press("Enter");
  await page.getByLabel("Endereço do link 2").fill("contato@exemplo.com.br");
  await page.getByRole("button", { name: "Salvar", exact: true }).press("Enter");
  await page.getByText("não é um endereço").waitFor();
  await page.getByLabel("Endereço do link 1").fill("loja.exemplo.com.br");
  await save(page);
  await page.goto(`/space/${ana.username}/public`);
  expect(await shapeOf(avatarOf(page))).toBeCloseTo(1, 1);
  expect(await shapeOf(bannerOf(page))).toBeCloseTo(4, 1);
  const links = page.getByRole("list", { name: "Links de Ana do Recorte" });
  const shop = links.getByRole("link", { name: "Minha loja" });
  await shop.waitFor();
  expect([await shop.getAttribute("href"), await shop.getAttribute("rel")]).toEqual([
    "https://loja.exemplo.com.br/",
    "me nofollow ugc noopener noreferrer",
  ]);
  await expect
    .poll(() => links.getByRole("link", { name: "contato@exemplo.com.br" }).getAttribute("href"))
    .toBe("mailto:contato@exemplo.com.br");
  await screenshot(page, "profile-links-390");
});

test("without JavaScript a picture is uploaded whole and shown cropped to its center, and links are saved one row at a time", async () => {
  const { origin } = sharedServer();
  const bia = await signUpSeller(origin, { name: "Bia Sem Roteiro" });
  const page = await newPage({ javaScript: false });
  await signInAsMember(page, bia);
  await page.goto("/settings/profile");
  await page.getByLabel(/^Foto de perfil/).setInputFiles(landscape("foto.png"));
  await page.getByLabel("Endereço do link 1").fill("exemplo.com.br");
  await save(page);
  await page.getByLabel("Endereço do link 2").waitFor();
  await expect
    .poll(() => page.getByLabel("Endereço do link 1").inputValue())
    .toBe("https://exemplo.com.br/");
  await page.goto(`/space/${bia.username}/public`);
  await expect.poll(async () => shapeOf(avatarOf(page))).toBeCloseTo(1.5, 1);
  await page.getByRole("link", { name: "exemplo.com.br" }).waitFor();
});
