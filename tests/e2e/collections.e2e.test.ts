import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { newPage } from "#tests/support/browser.ts";
import { signUpMember, signUpSeller } from "#tests/support/form-client.ts";
import type { SellerClient } from "#tests/support/form-client.ts";
import { picture } from "#tests/support/picture.ts";
import { payPix } from "#tests/support/sandbox.ts";
import { sharedServer } from "#tests/support/server.ts";
import { signInAsMember, hydrated, imagesLoaded, screenshot } from "#tests/support/steps.ts";

let tereza: SellerClient;
const postIds = new Map<string, string>();

beforeAll(async () => {
  tereza = await signUpSeller(sharedServer().origin);
  for (const title of ["Valsa um", "Valsa dois", "Valsa três", "Outra coisa"]) await publish(title);
});

async function publish(
  title: string,
  more: Record<string, string | string[]> = {},
): Promise<string> {
  const path = await tereza.postAndFollow("/post/create", {
    title,
    content: `O texto de ${title}.`,
    ways: "public",
    ...more,
  });
  const id = path.split("/").at(-1) ?? "";
  postIds.set(title, id);
  return id;
}

/** Creates a collection with the given posts, through the product's forms. */
async function collected(title: string, titles: string[], price = ""): Promise<string> {
  const path = await tereza.postAndFollow("/collection/create", {
    title,
    description: "Em ordem.",
    price,
  });
  const id = path.split("/")[2] ?? "";
  // The form lists the newest post first.
  await tereza.postAndFollow(path, {
    postIds: titles.toReversed().map((one) => postIds.get(one) ?? ""),
  });
  return id;
}

async function asTereza(path: string, options: Parameters<typeof newPage>[0] = {}): Promise<Page> {
  const page = await newPage(options);
  await signInAsMember(page, tereza);
  await page.goto(path);
  if (options.javaScript !== false) await hydrated(page);
  return page;
}

const ordered = (page: Page) =>
  page
    .getByRole("list", { name: "Publicações na ordem da coleção" })
    .getByRole("link")
    .allTextContents();
const said = (page: Page, words: string | RegExp) =>
  page.locator("[id^=DndLiveRegion]").getByText(words).waitFor();
const handle = (page: Page, title: string) =>
  page.getByRole("button", { name: `Mudar ${title} de lugar` });

describe("collection", () => {
  test("is created with a cover, filled from a search, and public at its own address", async () => {
    const page = await asTereza("/me/collections", { width: 390, height: 844 });
    await page
      .getByRole("link", { name: /coleção/i })
      .first()
      .click();
    await page.getByLabel("Título").fill("Valsas de esquina");
    await page
      .getByLabel("Descrição", { exact: true })
      .or(page.getByLabel("Descrição (opcional)"))
      .first()
      .fill("Três valsas, da mais lenta à mais rápida.");
    await page
      .getByLabel("Capa", { exact: false })
      .first()
      .setInputFiles({ name: "capa.png", mimeType: "image/png", buffer: picture(4) });
    await page.getByLabel("Descrição da capa para quem não vê").fill("Listras de papel");
    await page.getByRole("button", { name: "Criar coleção" }).click();
    await page.waitForURL("**/import");
    const collectionId = new URL(page.url()).pathname.split("/")[2] ?? "";
    await page.getByLabel("Procurar no título e na chamada").fill("VALSA tres");
    await page.getByRole("button", { name: "Procurar" }).click();
    await page.waitForURL(/q=VALSA/);
    await page.getByLabel("Valsa três").waitFor();
    await expect.poll(() => page.getByRole("checkbox").count()).toBe(1);
    await page.getByLabel("Procurar no título e na chamada").fill("valsa");
    await page.keyboard.press("Enter");
    await page.waitForURL(/q=valsa/);
    await page.getByLabel("Valsa um").waitFor();
    await page.getByRole("button", { name: "Marcar todas" }).click();
    await screenshot(page, "collection-import-390-light");
    await page.getByRole("button", { name: "Adicionar à coleção" }).click();
    await page.waitForURL("**/posts");
    await expect.poll(() => ordered(page)).toEqual(["Valsa um", "Valsa dois", "Valsa três"]);
    await screenshot(page, "collection-order-390-light");

    const visitor = await newPage({ javaScript: false });
    await visitor.goto(`/space/${tereza.username}/public`);
    await visitor.getByRole("link", { name: /Valsas de esquina/ }).click();
    await visitor.waitForURL(`**/public/collections/${collectionId}`);
    await visitor.getByRole("heading", { level: 1, name: "Valsas de esquina" }).waitFor();
    await visitor.getByRole("img", { name: "Listras de papel" }).waitFor();
    await visitor.getByRole("link", { name: "Valsa um" }).click();
    await visitor
      .getByRole("navigation", { name: "Coleção Valsas de esquina" })
      .getByText("1 de 3")
      .waitFor();
    await visitor.getByRole("link", { name: "Próxima na coleção Valsa dois" }).click();
    await visitor.getByRole("heading", { level: 1, name: "Valsa dois" }).waitFor();
    await visitor.getByRole("link", { name: "Anterior na coleção Valsa um" }).waitFor();
    await visitor.context().close();
    await page.goto(`/collection/${collectionId}`);
    await expect.poll(() => imagesLoaded(page, "Listras de papel")).toBe(true);
  });

  test("is ordered by dragging, by keyboard and by buttons, and the order is saved", async () => {
    const id = await collected("Ordem", ["Valsa um", "Valsa dois", "Valsa três", "Outra coisa"]);
    const page = await asTereza(`/collection/${id}/posts`);
    const last = await handle(page, "Outra coisa").boundingBox();
    const first = await handle(page, "Valsa um").boundingBox();
    if (!last || !first) throw new Error("a handle is not on the page");
    await page.mouse.move(last.x + 20, last.y + 20);
    await page.mouse.down();
    await page.mouse.move(last.x + 20, last.y, { steps: 4 });
    await said(page, /“Outra coisa” (foi pega|está|iria)/);
    await page.mouse.move(first.x + 20, first.y + 10, { steps: 12 });
    await said(page, "“Outra coisa” iria para o lugar 1 de 4.");
    await page.mouse.up();
    await expect
      .poll(() => ordered(page))
      .toEqual(["Outra coisa", "Valsa um", "Valsa dois", "Valsa três"]);

    await handle(page, "Valsa um").focus();
    await page.keyboard.press("Space");
    await said(page, "“Valsa um” está no lugar 2 de 4.");
    // The list listens to the arrow keys only from the next event loop turn.
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve)));
    await page.keyboard.press("ArrowDown");
    await said(page, "“Valsa um” iria para o lugar 3 de 4.");
    await page.keyboard.press("Space");
    await said(page, /“Valsa um” ficou no lugar 3 de 4\./);
    await expect
      .poll(() => ordered(page))
      .toEqual(["Outra coisa", "Valsa dois", "Valsa um", "Valsa três"]);

    const up = page.getByRole("button", { name: "Subir Valsa três" });
    await up.focus();
    await page.keyboard.press("Enter");
    await expect
      .poll(() => ordered(page))
      .toEqual(["Outra coisa", "Valsa dois", "Valsa três", "Valsa um"]);
    // The button moves with its post and keeps the focus for the next press.
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.getAttribute("aria-label")))
      .toBe("Subir Valsa três");
    await page.keyboard.press("Enter");
    await expect
      .poll(() => ordered(page))
      .toEqual(["Outra coisa", "Valsa três", "Valsa dois", "Valsa um"]);
    const other = await asTereza(`/collection/${id}/posts`);
    await expect
      .poll(async () => {
        await other.reload();
        return ordered(other);
      })
      .toEqual(["Outra coisa", "Valsa três", "Valsa dois", "Valsa um"]);
  });

  test("edited in two tabs loses no change, and says when an item no longer exists", async () => {
    const id = await collected("Duas abas", ["Valsa um", "Valsa dois", "Valsa três"]);
    const one = await asTereza(`/collection/${id}/posts`);
    const two = await one.context().newPage();
    await two.goto(`/collection/${id}/posts`);
    await hydrated(two);
    await two.getByRole("button", { name: "Tirar Valsa dois da coleção" }).click();
    await two.getByText("Tirada da coleção. A publicação continua no ar.").waitFor();
    await expect.poll(() => ordered(two)).toEqual(["Valsa um", "Valsa três"]);
    await one.getByRole("button", { name: "Descer Valsa um" }).click();
    await one
      .getByRole("alert")
      .getByText(/mudou em outra aba/)
      .waitFor();
    await expect.poll(() => ordered(one)).toEqual(["Valsa um", "Valsa três"]);
    await two.getByRole("button", { name: "Desfazer" }).click();
    await expect.poll(() => ordered(two)).toEqual(["Valsa um", "Valsa dois", "Valsa três"]);
    await one.getByRole("button", { name: "Descer Valsa um" }).click();
    await expect.poll(() => ordered(one)).toEqual(["Valsa dois", "Valsa três", "Valsa um"]);
  });

  test("is chosen in the post composer, and its deletion can be undone", async () => {
    const id = await collected("Na escrita", ["Valsa um"]);
    const page = await asTereza("/post/create");
    await page.getByLabel("Título").first().fill("Escrita agora");
    await page.getByLabel("Texto", { exact: true }).fill("Vai para a coleção.");
    await page.getByText("Coleções", { exact: true }).click();
    await page
      .getByRole("group", { name: "Em quais coleções ela fica" })
      .getByLabel("Na escrita")
      .check();
    await page.getByRole("button", { name: "Publicar" }).click();
    await page.waitForURL((url) => /^\/post\/(?!create)/.test(url.pathname));
    await page
      .getByRole("list", { name: "Coleções desta publicação" })
      .getByRole("link", { name: "Na escrita" })
      .click();
    await page.waitForURL(`**/collection/${id}`);
    await page.getByRole("link", { name: "Escrita agora", exact: true }).waitFor();
    await page.goto(`/collection/${id}/edit`);
    await page.getByRole("button", { name: "Apagar" }).click();
    await page.waitForURL("**/me/collections");
    await page.getByRole("button", { name: "Desfazer" }).click();
    await page.waitForURL(`**/collection/${id}`);
    await page.getByRole("heading", { name: "Na escrita" }).waitFor();
    await expect
      .poll(() =>
        page
          .getByRole("list", { name: "Publicações da coleção" })
          .getByRole("link")
          .allTextContents(),
      )
      .toEqual(["Valsa um", "Escrita agora"]);
  });
});

test("reading inside a collection is saved as progress, and continues where the reader stopped", async () => {
  const id = await collected("Leitura", ["Valsa um", "Valsa dois", "Valsa três"]);
  const reader = await signUpMember(sharedServer().origin, "Lia Souza");
  const page = await newPage({ width: 390, height: 844, theme: "dark" });
  await signInAsMember(page, reader);
  await page.goto(`/collection/${id}`);
  await page.getByText("0 lidas de 3").waitFor();
  await page.getByRole("link", { name: "Começar a ler" }).click();
  await page.waitForURL(`**/post/${postIds.get("Valsa um")}?collection=${id}`);
  await page.getByRole("button", { name: "Lida", exact: true }).waitFor();
  await screenshot(page, "post-in-collection-390-dark");
  await page.getByRole("link", { name: "Próxima na coleção Valsa dois" }).click();
  await page.getByRole("heading", { level: 1, name: "Valsa dois" }).waitFor();
  const mark = page.getByRole("button", { name: "Lida", exact: true });
  await mark.waitFor();
  // A post marked as unread stays unread.
  await mark.click();
  await page.getByRole("button", { name: "Marcar como lida" }).waitFor();
  await expect
    .poll(async () => {
      await page.goto(`/collection/${id}`);
      return page.getByText("1 lida de 3").count();
    })
    .toBe(1);
  await screenshot(page, "collection-390-dark");
  await page.getByRole("link", { name: "Continuar de onde parou" }).click();
  await page.waitForURL(`**/post/${postIds.get("Valsa dois")}?collection=${id}`);
});

test(
  "a collection sold as a whole leads from its public page through the checkout to its posts",
  { timeout: 120_000 },
  async () => {
    for (const title of ["Fechada um", "Fechada dois"])
      await publish(title, { ways: "subscribers" });
    const id = await collected("À venda", ["Fechada um", "Fechada dois"], "29,90");
    const { origin } = sharedServer();
    const page = await newPage();
    await signInAsMember(page, await signUpMember(origin, "Bruno Sá"));
    await page.goto(`/space/${tereza.username}/public/collections/${id}`);
    await expect.poll(() => page.getByText("Esta publicação é de quem assina.").count()).toBe(2);
    await page.getByRole("link", { name: "Comprar a coleção" }).click();
    await page.waitForURL(`**/checkout?collection=${id}`);
    await hydrated(page);
    await page.getByRole("button", { name: "Pagar com Pix" }).click();
    await page.waitForURL(/\/checkout\/[^?]+$/);
    await hydrated(page);
    await page.getByRole("button", { name: "Copiar código Pix" }).click();
    await page.getByRole("button", { name: "Copiado" }).waitFor();
    await payPix(origin, await page.evaluate(() => navigator.clipboard.readText()));
    await page.waitForURL(`**/collection/${id}`);
    await page.getByText("Você comprou esta coleção: tudo aqui está aberto para você.").waitFor();
    await expect.poll(() => page.getByText("Esta publicação é de quem assina.").count()).toBe(0);
    await page.getByRole("link", { name: "Fechada dois" }).click();
    await page.getByText("O texto de Fechada dois.").waitFor();
  },
);

test("without JavaScript a collection is created, filled, ordered, emptied and read", async () => {
  const page = await asTereza("/collection/create", { javaScript: false });
  await page.getByLabel("Preço da coleção").fill("4,99");
  await page.getByLabel("Descrição (opcional)").first().fill("Fica o que foi escrito.");
  await page.getByRole("button", { name: "Criar coleção" }).click();
  await page.getByText("Campo obrigatório").waitFor();
  await page.getByText("O preço mínimo é R$ 5,00").waitFor();
  await expect
    .poll(() => page.getByLabel("Descrição (opcional)").first().inputValue())
    .toBe("Fica o que foi escrito.");
  await page.getByLabel("Título").fill("Sem script");
  await page.getByLabel("Preço da coleção").fill("");
  await page.getByRole("button", { name: "Criar coleção" }).click();
  await page.waitForURL("**/import");
  const path = new URL(page.url()).pathname.replace("/import", "");
  await page.getByRole("button", { name: "Adicionar à coleção" }).click();
  await page.getByText("Escolha pelo menos uma publicação.").waitFor();
  for (const title of ["Valsa um", "Valsa dois", "Valsa três"])
    await page.getByLabel(title).check();
  await page.getByRole("button", { name: "Adicionar à coleção" }).click();
  await page.waitForURL(`**${path}/posts`);
  await expect.poll(() => ordered(page)).toEqual(["Valsa um", "Valsa dois", "Valsa três"]);
  await page.getByRole("button", { name: "Subir Valsa três" }).click();
  await page.waitForURL(/#post-/);
  await expect.poll(() => ordered(page)).toEqual(["Valsa um", "Valsa três", "Valsa dois"]);
  await page.getByRole("button", { name: "Descer Valsa um" }).click();
  await expect.poll(() => ordered(page)).toEqual(["Valsa três", "Valsa um", "Valsa dois"]);
  await page.getByRole("button", { name: "Tirar Valsa um da coleção" }).click();
  await expect.poll(() => ordered(page)).toEqual(["Valsa três", "Valsa dois"]);
  await page.getByRole("button", { name: "Desfazer" }).click();
  await expect.poll(() => ordered(page)).toEqual(["Valsa três", "Valsa um", "Valsa dois"]);
  await page.goto(path);
  await page.getByRole("link", { name: "Começar a ler" }).click();
  await page.getByRole("button", { name: "Marcar como lida" }).click();
  await page.getByRole("button", { name: "Lida", exact: true }).waitFor();
  await page.goto(path);
  await page.getByText("1 lida de 3").waitFor();
});
