import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { newPage } from "#tests/support/browser.ts";
import { signUpMember, signUpSeller } from "#tests/support/form-client.ts";
import type { SellerClient } from "#tests/support/form-client.ts";
import { picture } from "#tests/support/picture.ts";
import { sharedServer } from "#tests/support/server.ts";
import {
  signInAsMember,
  hydrated,
  imagesLoaded,
  openPart,
  screenshot,
} from "#tests/support/steps.ts";

let tereza: SellerClient;

beforeAll(async () => {
  tereza = await signUpSeller(sharedServer().origin);
});

async function composer(options: Parameters<typeof newPage>[0] = {}): Promise<Page> {
  const page = await newPage(options);
  await signInAsMember(page, tereza);
  await page.goto("/post/create");
  if (options.javaScript !== false) await hydrated(page);
  return page;
}

const saved = (page: Page) => page.getByText(/^Rascunho salvo às/).waitFor();
const idOf = (page: Page) => page.locator('input[name="postId"]').inputValue();

test("puts pictures into the text and the reader sees them there with their descriptions", async () => {
  const page = await composer({ width: 1440, height: 900 });
  await expect.poll(() => page.getByText("Gente para seguir").count()).toBe(0);
  await expect.poll(() => page.getByText("Disponível para sacar").count()).toBe(0);
  await page.getByLabel("Título").first().fill("Diário de oficina");
  const text = page.getByLabel("Texto", { exact: true });
  await text.fill("Primeiro a madeira.");
  await page.getByLabel("Imagens a inserir").setInputFiles({
    name: "tampo.png",
    mimeType: "image/png",
    buffer: picture(7),
  });
  await expect
    .poll(() => text.inputValue())
    .toMatch(/^Primeiro a madeira\.\n\n!\[\]\(\/media\/[0-9a-f]+\/1280\)\n\n$/);
  await text.press("Control+End");
  await page.keyboard.type("Depois o som.");
  await page
    .getByRole("listitem", { name: "tampo.png" })
    .getByLabel("Descrição para quem não vê")
    .fill("O tampo de pinho na bancada");
  await page.getByRole("button", { name: "Prévia" }).click();
  await page
    .getByRole("dialog", { name: "Prévia" })
    .getByRole("img", { name: "O tampo de pinho na bancada" })
    .waitFor();
  await page.keyboard.press("Escape");
  await screenshot(page, "composer-1440-picture");
  await page.getByRole("button", { name: "Publicar" }).click();
  await page.waitForURL((url) => /^\/post\/[0-9a-f]+$/.test(url.pathname));
  const order = page.locator("article .written").locator("p");
  await expect
    .poll(() => order.evaluateAll((parts) => parts.map((part) => part.textContent || "(imagem)")))
    .toEqual(["Primeiro a madeira.", "(imagem)", "Depois o som."]);
  await expect.poll(() => imagesLoaded(page, "O tampo de pinho na bancada")).toBe(true);
  await expect.poll(() => page.locator("article img[alt*=tampo]").count()).toBe(1);
});

test("never overwrites another tab's changes silently", async () => {
  const page = await composer();
  await page.getByLabel("Título").first().fill("Em duas abas");
  await saved(page);
  const other = await page.context().newPage();
  await other.goto(`/post/${await idOf(page)}/edit`);
  await hydrated(other);
  await other.getByLabel("Texto", { exact: true }).fill("Da segunda aba");
  await saved(other);
  await page.getByLabel("Texto", { exact: true }).fill("Da primeira aba");
  await page.getByText("Outra aba salvou esta publicação. Veja as duas e escolha.").waitFor();
  await page.getByRole("button", { name: "Ver as duas e escolher" }).click();
  const mine = page.getByRole("article", { name: "A desta aba" });
  await mine.getByText("Da primeira aba").waitFor();
  await page
    .getByRole("article", { name: /^A salva em/ })
    .getByText("Da segunda aba")
    .waitFor();
  await screenshot(page, "composer-two-versions");
  await page.getByRole("button", { name: "Ficar com a desta aba" }).focus();
  await page.keyboard.press("Enter");
  await page.getByText("Falta salvar ou publicar.").waitFor();
  await expect
    .poll(() => page.getByLabel("Texto", { exact: true }).inputValue())
    .toBe("Da primeira aba");
  await page.getByRole("button", { name: "Publicar" }).click();
  await page.getByRole("heading", { name: "Em duas abas", level: 1 }).waitFor();
  await page.getByText("Da primeira aba").waitFor();
  await page.goto("/me/drafts");
  await page.getByRole("link", { name: /^Em duas abas \(outra versão\)/ }).click();
  await expect
    .poll(() => page.getByLabel("Texto", { exact: true }).inputValue())
    .toBe("Da segunda aba");
});

test("without JavaScript a post saved elsewhere is shown beside what was typed, and both survive the choice", async () => {
  const page = await composer({ javaScript: false, width: 390, height: 844 });
  await page.getByLabel("Título").first().fill("Duas sem script");
  await page.getByRole("button", { name: "Salvar rascunho" }).click();
  await page.waitForURL("**/edit");
  const other = await page.context().newPage();
  await other.goto(page.url());
  await other.getByLabel("Texto", { exact: true }).fill("Salva primeiro.");
  await other.getByRole("button", { name: "Salvar rascunho" }).click();
  await other.getByText("Rascunho salvo. Só você vê.").waitFor();
  await page.getByLabel("Texto", { exact: true }).fill("Digitada depois.");
  await page.getByRole("button", { name: "Salvar rascunho" }).click();
  await page.getByRole("alert").getByText("Outra aba salvou esta publicação.").waitFor();
  await page.getByRole("article", { name: "A desta aba" }).getByText("Digitada depois.").waitFor();
  await screenshot(page, "composer-two-versions-nojs-390");
  await page.getByRole("button", { name: "Ficar com a salva" }).click();
  await page.getByText("Você ficou com a versão salva. A outra está nos seus rascunhos.").waitFor();
  await expect
    .poll(() => page.getByLabel("Texto", { exact: true }).inputValue())
    .toBe("Salva primeiro.");
  await page.goto("/me/drafts");
  await page.getByRole("link", { name: /^Duas sem script \(outra versão\)/ }).click();
  await expect
    .poll(() => page.getByLabel("Texto", { exact: true }).inputValue())
    .toBe("Digitada depois.");
});

test("without JavaScript the preview shows the text and its picture, stores no post, and loses nothing that was typed", async () => {
  const page = await composer({ javaScript: false });
  await page.getByLabel("Título").first().fill("Prévia sem script");
  await page.getByLabel("Texto", { exact: true }).fill("Só **HTML**.");
  await page
    .getByLabel("Imagem", { exact: false })
    .first()
    .setInputFiles({
      name: "capa.png",
      mimeType: "image/png",
      buffer: picture(8),
    });
  await page.getByLabel("Descrição para quem não vê").fill("A capa do disco");
  await openPart(page, "Quem pode ver");
  const ways = page.getByRole("group", { name: "Quem pode ver" });
  await ways.getByLabel("Todo mundo").uncheck();
  await ways.getByLabel("Quem segue").check();
  await page.getByRole("button", { name: "Prévia" }).click();
  const preview = page.getByRole("region", { name: "Prévia" });
  await preview.locator("strong", { hasText: "HTML" }).waitFor();
  await preview.getByText("agora · Quem segue").waitFor();
  await preview.getByRole("img", { name: "A capa do disco" }).waitFor();
  await screenshot(page, "composer-preview-nojs");
  const drafts = await page.context().newPage();
  await drafts.goto("/me/drafts");
  await drafts.getByRole("heading", { name: "Rascunhos" }).waitFor();
  await expect.poll(() => drafts.getByText("Prévia sem script").count()).toBe(0);
  await page.getByRole("button", { name: "Publicar" }).click();
  await page.waitForURL((url) => /^\/post\/[0-9a-f]+$/.test(url.pathname));
  await page.getByRole("heading", { name: "Prévia sem script", level: 1 }).waitFor();
  await page.getByText("Quem segue").first().waitFor();
  await expect.poll(() => imagesLoaded(page, "A capa do disco")).toBe(true);
});

test("suggests people while a mention is typed, by keyboard, in a text and in a comment", async () => {
  const { origin } = sharedServer();
  const [fan, friend] = [
    await signUpMember(origin, "Dalva Reis"),
    await signUpMember(origin, "Dalmo Reis"),
  ];
  for (const person of [fan, friend])
    await person.postAndFollow(`/space/${tereza.username}/follow`, { following: "true" });
  const page = await composer();
  const text = page.getByLabel("Texto", { exact: true });
  await text.focus();
  await page.keyboard.type("Com @Dal");
  const list = page.getByRole("listbox", { name: "Pessoas" });
  await list.getByRole("option", { name: /Dalva Reis/ }).waitFor();
  await page.keyboard.press("Escape");
  await list.waitFor({ state: "hidden" });
  await page.keyboard.type("v");
  await list.getByRole("option", { name: /Dalva Reis/, selected: true }).waitFor();
  await screenshot(page, "mentions-composer");
  await page.keyboard.press("Enter");
  await expect
    .poll(() => text.inputValue())
    .toBe(`Com [@${fan.username}](${origin}/@${fan.username}) `);

  const path = await tereza.postAndFollow("/post/create", {
    title: "Roda aberta",
    content: "Venham.",
    ways: "public",
  });
  await fan.postAndFollow(`${path}/comments`, { body: "Vou!" });
  await friend.postAndFollow(`${path}/comments`, { body: "Também vou!" });
  const reader = await newPage({ width: 390, height: 844 });
  await signInAsMember(reader, fan);
  await reader.goto(path);
  await hydrated(reader);
  const comment = reader.getByLabel("Seu comentário");
  await comment.focus();
  await reader.keyboard.type("Oi @");
  await reader.keyboard.type("Reis");
  await reader.getByRole("option", { name: /Dalmo Reis/ }).waitFor();
  await screenshot(reader, "mentions-comment-390");
  await reader.keyboard.press("ArrowDown");
  await reader.keyboard.press("ArrowUp");
  await reader.keyboard.press("Tab");
  await expect.poll(() => comment.inputValue()).toBe(`Oi @${friend.username} `);
  await reader.getByRole("button", { name: "Comentar" }).click();
  await reader.getByRole("link", { name: `@${friend.username}` }).waitFor();
});
