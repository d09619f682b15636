import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { civilMoment } from "#app/domain/posts/rules/composing.ts";
import { DAY_MS, HOUR_MS } from "#app/domain/time.ts";
import { newPage } from "#tests/support/browser.ts";
import { signUpMember, signUpSeller } from "#tests/support/form-client.ts";
import type { FormClient, NewMemberInput, SellerClient } from "#tests/support/form-client.ts";
import { testClock } from "#tests/support/clock.ts";
import { picture } from "#tests/support/picture.ts";
import { sharedServer } from "#tests/support/server.ts";
import {
  signInAsMember,
  openPageAs,
  pickFiles,
  screenshot,
  openPart,
} from "#tests/support/steps.ts";

let creator: SellerClient;
let fan: FormClient & NewMemberInput;

beforeAll(async () => {
  const { origin } = sharedServer();
  creator = await signUpSeller(origin);
  fan = await signUpMember(origin, "Bento Reis");
});

const posted = (title: string, more: Record<string, string> = {}) =>
  creator.postAndFollow("/post/create", { title, content: "Um texto.", ways: "public", ...more });
const waysOf = (page: Page) => page.getByRole("group", { name: "Quem pode ver" });

describe("post lifecycle", () => {
  test.each([
    ["with JavaScript on a phone", { width: 390, height: 844 }],
    ["without JavaScript", { javaScript: false }],
  ])(
    "%s: is scheduled, listed among the drafts, unscheduled, published and unpublished",
    async (_name, options) => {
      const page = await openPageAs(creator, "/post/create", options);
      await page.getByLabel("Título").first().fill("Sai amanhã");
      await page.getByLabel("Texto", { exact: true }).fill("Com hora marcada.");
      await openPart(page, "Agendar");
      await page.getByLabel("Publicar em").fill(civilMoment(testClock.now() + DAY_MS));
      await page
        .getByRole("button", {
          name: "javaScript" in options ? "Publicar" : /^Agendar para \d/,
        })
        .click();
      await page.waitForURL((url) => /^\/post\/[0-9a-f]+$/.test(url.pathname));
      const path = new URL(page.url()).pathname;
      await page
        .getByText(/^Agendada: só você vê até \d.*Depois, abre para todo mundo\.$/)
        .waitFor();
      const stranger = await openPageAs(fan, path, { javaScript: false });
      await stranger.getByText("Não encontramos esta publicação").waitFor();
      await page.goto("/me/drafts");
      const row = page
        .getByRole("listitem")
        .filter({ has: page.locator(`a[href="${path}/edit"]`) });
      await row.getByText(/^Sai em /).waitFor();
      await row.getByRole("link").first().click();
      await page.getByText(/^Sai sozinha em .*pelo horário de Brasília/).waitFor();
      await page.getByRole("button", { name: "Salvar agendamento" }).waitFor();
      await page.goto(path);
      await page.getByRole("button", { name: "Voltar para rascunho" }).click();
      await page.waitForURL(`**${path}/edit`);
      await openPart(page, "Agendar");
      await page.getByLabel("Publicar em").fill("");
      await page.getByRole("button", { name: "Publicar" }).click();
      await page.waitForURL(`**${path}`);
      await stranger.goto(path);
      await stranger.getByRole("heading", { name: "Sai amanhã" }).waitFor();
      await page.getByRole("button", { name: "Tirar do ar" }).click();
      await page.waitForURL(`**${path}/edit`);
      await stranger.goto(path);
      await stranger.getByText("Não encontramos esta publicação").waitFor();
      await expect.poll(() => stranger.getByText("Com hora marcada.").count()).toBe(0);
    },
  );

  test.each([
    ["with JavaScript", { javaScript: true }],
    ["without JavaScript", { javaScript: false }],
  ])(
    "%s: is for a plan now and for followers later, with a teaser, and shows errors beside the fields",
    async (_name, options) => {
      const page = await openPageAs(creator, "/post/create", options);
      await page.getByLabel("Título").first().fill("Antes de todo mundo");
      await page.getByLabel("Texto", { exact: true }).fill("Segredo por enquanto.");
      await openPart(page, "Chamada e aviso");
      await page.getByRole("textbox", { name: /^Chamada/ }).fill("Quem assina ouve primeiro.");
      await openPart(page, "Quem pode ver");
      await waysOf(page).getByLabel("Todo mundo").uncheck();
      await waysOf(page).getByLabel("Quem assina alguns planos").check();
      await page.getByRole("button", { name: "Publicar" }).click();
      await page.getByText("Escolha pelo menos um plano.").waitFor();
      await page.getByLabel(creator.planName).check();
      await waysOf(page).getByLabel("Quem segue").check();
      await page.getByText("Abrir mais tarde para alguns").click();
      await page
        .getByLabel("Abre para quem segue em")
        .fill(civilMoment(testClock.now() + 2 * HOUR_MS));
      await page.getByRole("button", { name: "Publicar" }).click();
      await page.waitForURL((url) => /^\/post\/[0-9a-f]+$/.test(url.pathname));
      const path = new URL(page.url()).pathname;
      await fan.postAndFollow(`/space/${creator.username}/follow`, { following: "true" });
      const follower = await openPageAs(fan, path, options);
      await follower.getByText(/Para mais gente, abre em/).waitFor();
      await follower.getByText("Quem assina ouve primeiro.").waitFor();
      await expect.poll(() => follower.getByText("Segredo por enquanto.").count()).toBe(0);
      await screenshot(follower, `early-access-${options.javaScript ? "js" : "nojs"}`);
    },
  );

  test("links to the next post, and is shared by its public address and QR code, also without JavaScript", async () => {
    const paths = [await posted("Primeira"), await posted("Segunda"), await posted("Terceira")];
    const page = await openPageAs(fan, paths[1] ?? "", { width: 390, height: 844 });
    await page.getByRole("link", { name: /^Anterior Primeira/ }).waitFor();
    await page.getByRole("link", { name: /^Próxima Terceira/ }).click();
    await page.waitForURL(`**${paths[2] ?? ""}`);
    await page.getByRole("heading", { name: "Terceira" }).waitFor();
    const shared = `${sharedServer().origin}/space/${creator.username}/public/${(paths[2] ?? "").split("/").at(-1) ?? ""}`;
    await page.getByRole("link", { name: "Compartilhar Terceira" }).click();
    await page.getByText("Endereço copiado.").waitFor();
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(shared);
    await page.getByRole("link", { name: "QR code de Terceira" }).click();
    await page.getByRole("img", { name: "QR code de Terceira" }).waitFor();
    await page.getByText(shared).waitFor();
    const visitor = await newPage({ javaScript: false });
    await visitor.goto(shared);
    await visitor.getByText("QR code desta publicação").click();
    await visitor.getByRole("img", { name: "QR code de Terceira" }).waitFor();
    await visitor.getByRole("link", { name: /^Anterior Segunda/ }).click();
    await visitor.getByRole("heading", { name: "Segunda" }).waitFor();
  });

  test("with sensitive pictures covers them until the reader reveals them, and loads nothing before", async () => {
    const page = await openPageAs(creator, "/post/create");
    await page.getByLabel("Título").first().fill("Com cuidado");
    await page.getByLabel("Texto", { exact: true }).fill("A foto está coberta.");
    await pickFiles(page, { name: "foto.png", mimeType: "image/png", buffer: picture(4) });
    await page.getByLabel("Descrição para quem não vê").fill("Uma rabeca quebrada");
    await openPart(page, "Chamada e aviso");
    await page.getByLabel("Conteúdo sensível").check();
    await page.getByRole("button", { name: "Publicar" }).click();
    await page.waitForURL((url) => /^\/post\/[0-9a-f]+$/.test(url.pathname));
    const id = new URL(page.url()).pathname.split("/").at(-1) ?? "";
    for (const path of [`/post/${id}`, `/space/${creator.username}/public/${id}`]) {
      const viewer = await newPage();
      if (path.startsWith("/post")) await signInAsMember(viewer, fan);
      const asked: string[] = [];
      viewer.on("request", (request) => {
        if (/\/media\/[0-9a-f]+\/(1280|640|original)/.test(request.url()))
          asked.push(request.url());
      });
      await viewer.goto(path, { waitUntil: "networkidle" });
      await expect
        .poll(() => viewer.getByRole("img", { name: "Uma rabeca quebrada" }).isVisible())
        .toBe(false);
      expect(asked).toEqual([]);
      await viewer.getByText("Conteúdo sensível. Tocar para mostrar ou esconder.").click();
      await viewer.getByRole("img", { name: "Uma rabeca quebrada" }).waitFor();
      await expect.poll(() => asked.length).toBeGreaterThan(0);
      await viewer.context().close();
    }
  });

  test("displays right-to-left text and stacked diacritics within their lines", async () => {
    const path = await posted("שלום לכולם", {
      content: `q${"\u0335".repeat(200)} e mais\n\nשורה בעברית`,
    });
    const page = await openPageAs(fan, path, { width: 390, height: 844 });
    await page.getByRole("heading", { name: "שלום לכולם" }).waitFor();
    await expect
      .poll(() =>
        page
          .getByRole("heading", { name: "שלום לכולם" })
          .evaluate((heading) => getComputedStyle(heading).direction),
      )
      .toBe("rtl");
    await expect
      .poll(() => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth))
      .toBe(0);
    await screenshot(page, "rtl-390");
  });
});
