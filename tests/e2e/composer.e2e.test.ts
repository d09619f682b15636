import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { newPage } from "#tests/support/browser.ts";
import { signUpSeller } from "#tests/support/form-client.ts";
import type { SellerClient } from "#tests/support/form-client.ts";
import { sharedServer } from "#tests/support/server.ts";
import { signInAsMember, hydrated, openPart, screenshot } from "#tests/support/steps.ts";

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
/** Returns the unsent texts stored in this browser. */
const copies = (page: Page) =>
  page.evaluate(
    () => Object.keys(localStorage).filter((key) => key.startsWith("coreto-draft:")).length,
  );
const idOf = (page: Page) => page.locator('input[name="postId"]').inputValue();

describe("quick composer on the feed", () => {
  test("publishes in place or opens the full composer with the typed text, without JavaScript with the title too", async () => {
    const page = await newPage({ width: 390, height: 844 });
    await signInAsMember(page, tereza);
    await page.goto("/");
    await hydrated(page);
    await page.getByLabel("O que você quer contar hoje?").click();
    await page.keyboard.type("Roda no sábado");
    await page.keyboard.press("Tab");
    await page.keyboard.type("Às oito, na praça.");
    await page.getByLabel("Quem pode ver").selectOption("followers");
    await saved(page);
    await screenshot(page, "quick-composer-phone");
    await page.getByRole("button", { name: "Publicar", exact: true }).click();
    await page.getByRole("heading", { name: "Roda no sábado", level: 1 }).waitFor();
    await page.getByText("Quem segue").first().waitFor();

    await page.goto("/me");
    await hydrated(page);
    await page.getByLabel("O que você quer contar hoje?").click();
    await page.keyboard.type("Com foto");
    await page.getByRole("button", { name: "Mais opções" }).click();
    await page.waitForURL(/\/post\/[^/]+\/edit$/);
    await expect
      .poll(() => page.getByLabel("Título", { exact: true }).inputValue())
      .toBe("Com foto");

    const plain = await newPage({ javaScript: false });
    await signInAsMember(plain, tereza);
    await plain.goto("/");
    await plain.getByLabel("O que você quer contar hoje?").fill("Sem script");
    await plain.getByRole("button", { name: "Escrever", exact: true }).click();
    await expect
      .poll(() => plain.getByLabel("Título", { exact: true }).inputValue())
      .toBe("Sem script");
  });
});

describe("post composer", () => {
  test("writes by keyboard with formatting, a preview and a saved draft; the post is published, edited, deleted and restored", async () => {
    const page = await composer({ width: 390, height: 844 });
    const text = page.getByLabel("Texto", { exact: true });
    await text.focus();
    await page.keyboard.type("Hoje tem ");
    await page.keyboard.press("Control+b");
    await page.keyboard.type("roda");
    await expect.poll(() => text.inputValue()).toBe("Hoje tem **roda**");
    await page.getByRole("button", { name: "Negrito" }).focus();
    await page.keyboard.press("ArrowRight");
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.getAttribute("aria-label")))
      .toBe("Itálico");
    await page.getByRole("button", { name: "Prévia" }).click();
    const preview = page.getByRole("dialog", { name: "Prévia" });
    await preview.locator("strong", { hasText: "roda" }).waitFor();
    await preview.getByText(/^agora · Público$/).waitFor();
    await page.keyboard.press("Escape");
    await preview.waitFor({ state: "hidden" });
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.textContent))
      .toBe("Prévia");
    await page.getByLabel("Título").first().fill("Roda de domingo");
    const postId = await idOf(page);
    // The text was saved before its title was: the page says nothing new.
    await expect
      .poll(() =>
        page.evaluate(async (id) => (await fetch(`/resources/posts/${id}/kept`)).text(), postId),
      )
      .toContain("Roda de domingo");
    await screenshot(page, "composer-390-light");
    await page.goto("/me/drafts");
    await page.getByRole("link", { name: /^Roda de domingo/ }).click();
    await page.waitForURL(`**/post/${postId}/edit`);
    await page.getByRole("button", { name: "Publicar" }).click();
    await page.waitForURL(`**/post/${postId}`);
    await page.locator("article strong", { hasText: "roda" }).waitFor();
    await page.getByRole("link", { name: "Editar" }).click();
    await page.getByLabel("Título").first().fill("Roda de domingo, às 4");
    await page.getByRole("button", { name: "Salvar alterações" }).click();
    await page.waitForURL(`**/post/${postId}`);
    await page.getByText("· editado").waitFor();
    await page.getByRole("button", { name: "Fixar no topo" }).click();
    await page.getByRole("button", { name: "Soltar do topo" }).waitFor();
    await page.getByRole("button", { name: "Apagar" }).click();
    await page.waitForURL("**/me");
    await page.getByRole("button", { name: "Desfazer" }).click();
    await page.waitForURL(`**/post/${postId}`);
    await page.getByRole("heading", { name: "Roda de domingo, às 4" }).waitFor();
  });

  test("loses no text when the network fails and the tab is closed", async () => {
    const page = await composer();
    // A closing tab is online again for a moment. The draft save is blocked, so that none goes out.
    await page.route("**/post/draft/save**", (route) => route.abort());
    await page.context().setOffline(true);
    await page.getByLabel("Título").first().fill("Escrito no ônibus");
    await page.getByLabel("Texto", { exact: true }).fill("Sem sinal nenhum.");
    await page.getByText(/^Sem conexão\. O texto está guardado/).waitFor();
    await page.getByRole("button", { name: "Publicar" }).click();
    await page.getByText("O seu texto não foi enviado.").waitFor();
    await expect
      .poll(() => page.getByLabel("Texto", { exact: true }).inputValue())
      .toBe("Sem sinal nenhum.");
    const postId = await idOf(page);
    await expect.poll(() => copies(page)).toBe(1);
    const context = page.context();
    await page.close({ runBeforeUnload: false });
    await context.setOffline(false);
    const again = await context.newPage();
    await again.goto("/post/create");
    await hydrated(again);
    await again.getByRole("button", { name: "Recuperar" }).click();
    await expect
      .poll(() => again.getByLabel("Texto", { exact: true }).inputValue())
      .toBe("Sem sinal nenhum.");
    await expect.poll(() => idOf(again)).toBe(postId);
    await again.getByRole("button", { name: "Publicar" }).click();
    await again.waitForURL(`**/post/${postId}`);
    await again.goto("/post/create");
    await hydrated(again);
    await expect.poll(() => copies(again)).toBe(0);
    await expect.poll(() => again.getByRole("button", { name: "Recuperar" }).count()).toBe(0);
    await context.close();
  });

  test("loses no text when the session ends: it is published after sign-in in another tab", async () => {
    const page = await composer();
    await page.getByLabel("Título").first().fill("Antes e depois");
    await saved(page);
    const postId = await idOf(page);
    await page.context().clearCookies();
    await page.getByLabel("Texto", { exact: true }).fill("Escrito depois do fim da sessão.");
    await page.getByText(/^A sua sessão terminou\. Entre em outra aba: o texto/).waitFor();
    await page.getByRole("button", { name: "Publicar" }).click();
    await page
      .getByRole("alert")
      .getByText(/o texto continua aqui/)
      .waitFor();
    await expect
      .poll(() => page.getByLabel("Texto", { exact: true }).inputValue())
      .toBe("Escrito depois do fim da sessão.");
    await expect.poll(() => copies(page)).toBe(1);
    await signInAsMember(await page.context().newPage(), tereza);
    await page.getByRole("button", { name: "Publicar" }).click();
    await page.waitForURL(`**/post/${postId}`);
    await page.getByText("Escrito depois do fim da sessão.").waitFor();
  });

  test("shows the typed text without JavaScript when the session ended, and sends it after sign-in", async () => {
    const page = await composer({ javaScript: false });
    await page.getByLabel("Título").first().fill("Sem script e sem sessão");
    await page.getByLabel("Texto", { exact: true }).fill("Ainda está aqui.");
    await page.context().clearCookies();
    await page.getByRole("button", { name: "Publicar" }).click();
    await page.getByRole("link", { name: "Entrar (abre em outra aba)" }).waitFor();
    await expect
      .poll(() => page.getByLabel("Texto", { exact: true }).inputValue())
      .toBe("Ainda está aqui.");
    await signInAsMember(await page.context().newPage(), tereza);
    await page.getByRole("button", { name: "Enviar de novo" }).click();
    await page.getByRole("heading", { name: "Sem script e sem sessão", level: 1 }).waitFor();
  });

  test("never offers a published text as a draft again, even if the tab closed before the answer came", async () => {
    const page = await composer();
    await page.route("**/post/draft/save**", (route) => route.abort());
    await page.getByLabel("Título").first().fill("Fechei antes da resposta");
    await page.getByLabel("Texto", { exact: true }).fill("Saiu mesmo assim.");
    await page.getByText(/^Sem conexão\. O texto está guardado/).waitFor();
    const postId = await idOf(page);
    const context = page.context();
    const answered = new Promise<void>((resolve) => {
      void page.route("**/post/create**", async (route) => {
        if (route.request().method() !== "POST") return await route.continue();
        await route.fetch();
        resolve();
      });
    });
    await page.getByRole("button", { name: "Publicar" }).click();
    await answered;
    await expect.poll(() => copies(page)).toBe(1);
    await page.close({ runBeforeUnload: false });
    const again = await context.newPage();
    await again.goto("/post/create");
    await hydrated(again);
    await expect.poll(() => copies(again)).toBe(0);
    await expect.poll(() => again.getByRole("button", { name: "Recuperar" }).count()).toBe(0);
    await again.goto(`/post/${postId}`);
    await again.getByRole("heading", { name: "Fechei antes da resposta" }).waitFor();
    await context.close();
  });

  test("offers an unsent edit where the post is edited, and from an empty composer", async () => {
    const path = await tereza.postAndFollow("/post/create", {
      title: "Já no ar",
      content: "Como saiu.",
      ways: "public",
    });
    const page = await composer();
    await page.goto(`${path}/edit`);
    await hydrated(page);
    await page.getByLabel("Texto", { exact: true }).fill("Como vai ficar.");
    await page.getByText("Alterações guardadas neste aparelho até você salvar.").waitFor();
    const context = page.context();
    await page.close({ runBeforeUnload: false });
    const again = await context.newPage();
    await again.goto("/post/create");
    await hydrated(again);
    await again.getByRole("link", { name: "Continuar a edição" }).click();
    await again.waitForURL(`**${path}/edit`);
    await again.getByRole("button", { name: "Recuperar" }).click();
    await expect
      .poll(() => again.getByLabel("Texto", { exact: true }).inputValue())
      .toBe("Como vai ficar.");
    await again.getByRole("button", { name: "Salvar alterações" }).click();
    await again.waitForURL(`**${path}`);
    await again.getByText("Como vai ficar.").waitFor();
    await context.close();
  });
});

test("without JavaScript a draft is saved, a past schedule is refused beside its field, and the post is published", async () => {
  const page = await composer({ javaScript: false });
  await page.getByLabel("Título").first().fill("Sem script");
  await page.getByLabel("Texto", { exact: true }).fill("Só **HTML**.");
  await page.getByRole("button", { name: "Salvar rascunho" }).click();
  await page.waitForURL("**/edit");
  await page.getByText("Rascunho salvo. Só você vê.").waitFor();
  await openPart(page, "Agendar");
  await page.getByLabel("Publicar em").fill("2020-01-31T10:00");
  await openPart(page, "Quem pode ver");
  await page.getByRole("group", { name: "Quem pode ver" }).getByLabel("Quem segue").check();
  await page.getByRole("button", { name: "Publicar" }).click();
  await page.getByText(/Desmarque “Todo mundo”/).waitFor();
  await page.getByRole("group", { name: "Quem pode ver" }).getByLabel("Todo mundo").uncheck();
  await page.getByRole("button", { name: "Publicar" }).click();
  await page.getByText(/Essa hora já passou/).waitFor();
  await expect
    .poll(() => page.getByLabel("Texto", { exact: true }).inputValue())
    .toBe("Só **HTML**.");
  await openPart(page, "Quem pode ver");
  await expect
    .poll(() =>
      page.getByRole("group", { name: "Quem pode ver" }).getByLabel("Quem segue").isChecked(),
    )
    .toBe(true);
  await page.getByLabel("Publicar em").fill("");
  await page.getByRole("button", { name: "Publicar" }).click();
  await page.waitForURL((url) => /^\/post\/[0-9a-f]+$/.test(url.pathname));
  await page.locator("article strong", { hasText: "HTML" }).waitFor();
  await page.getByRole("button", { name: "Apagar" }).click();
  await page.getByRole("button", { name: "Desfazer" }).click();
  await page.getByRole("heading", { name: "Sem script" }).waitFor();
});

test("an embedded video loads nothing from other sites before its click, for visitors and members", async () => {
  const path = await tereza.postAndFollow("/post/create", {
    title: "Clipe novo",
    content: "Saiu:\nhttps://youtu.be/dQw4w9WgXcQ",
    ways: "public",
  });
  const id = path.split("/").at(-1) ?? "";
  for (const address of [`/space/${tereza.username}/public/${id}`, `/post/${id}`]) {
    const page = await newPage({ width: 390, height: 844 });
    if (address.startsWith("/post")) await signInAsMember(page, tereza);
    const others: string[] = [];
    await page.route(/youtube-nocookie\.com|youtu\.be|ytimg/, (route) => {
      others.push(route.request().url());
      return route.fulfill({ status: 200, contentType: "text/html", body: "<p>tocando</p>" });
    });
    await page.goto(address, { waitUntil: "networkidle" });
    if (address.startsWith("/post")) await hydrated(page);
    expect(others).toEqual([]);
    await screenshot(page, address.startsWith("/post") ? "video-member-390" : "video-public-390");
    await page.getByRole("link", { name: "Assistir ao vídeo no YouTube" }).click();
    await page.frameLocator(".video-player").frameLocator("iframe").getByText("tocando").waitFor();
    expect(others).toEqual(["https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ?autoplay=1"]);
    await page.context().close();
  }
});
