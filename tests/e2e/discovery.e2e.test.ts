import { quoted } from "#app/domain/text.ts";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { newPage } from "#tests/support/browser.ts";
import { signUpMember, signUpSeller } from "#tests/support/form-client.ts";
import type { MemberClient, SellerClient } from "#tests/support/form-client.ts";
import { sharedServer } from "#tests/support/server.ts";
import { signInAsMember, hydrated, screenshot } from "#tests/support/steps.ts";

const POSTS = 24;

let author: SellerClient;
let fan: MemberClient;
const word = `zabumba${crypto
  .randomUUID()
  .slice(0, 6)
  .replaceAll(/[^a-z]/g, "x")}`;
const titleOf = (number: number) => `Ensaio ${number} de ${word}`;

const publish = (title: string, more: Record<string, string> = {}) =>
  author.postAndFollow("/post/create", {
    title,
    content: `O texto de ${title}.\n\nCom mais de um parágrafo, para a lista ter altura.`,
    ways: "public",
    ...more,
  });

beforeAll(async () => {
  const { origin } = sharedServer();
  [author, fan] = [
    await signUpSeller(origin, { name: "Marisete Zabumbeira" }),
    await signUpMember(origin, "Fernanda Ouvinte"),
  ];
  for (let number = 1; number <= POSTS; number += 1) await publish(titleOf(number));
  await fan.postAndFollow(`/space/${author.username}/follow`, { following: "true" });
});

async function asFan(options: Parameters<typeof newPage>[0] = {}, path = "/"): Promise<Page> {
  const page = await newPage({ width: 390, height: 844, ...options });
  await signInAsMember(page, fan);
  await page.goto(path);
  if (options.javaScript !== false) await hydrated(page);
  return page;
}

const article = (page: Page, number: number) =>
  page.getByRole("article", { name: titleOf(number), exact: true });
const articles = (page: Page) => page.getByRole("feed").getByRole("article");
const atTop = (page: Page, number: number) =>
  expect
    .poll(async () => Math.abs((await article(page, number).boundingBox())?.y ?? 9_999))
    .toBeLessThan(120);

describe("feed", () => {
  test(
    "loads more while scrolling, and restores its position after a post and after another document",
    { timeout: 120_000 },
    async () => {
      const page = await asFan();
      await article(page, POSTS).waitFor();
      await articles(page).nth(9).scrollIntoViewIfNeeded();
      await article(page, 8).waitFor({ state: "attached" });
      await article(page, 8).scrollIntoViewIfNeeded();
      await article(page, 3).waitFor({ state: "attached" });
      await article(page, 6)
        .getByRole("link", { name: titleOf(6), exact: true })
        .scrollIntoViewIfNeeded();
      const y = await page.evaluate(() => scrollY);
      await article(page, 6)
        .getByRole("link", { name: titleOf(6), exact: true })
        .click();
      await page.waitForURL("**/post/*");
      await page.getByRole("heading", { name: titleOf(6) }).waitFor();
      await page.goBack();
      await article(page, 6).waitFor();
      await expect
        .poll(() => page.evaluate((wanted) => Math.abs(scrollY - wanted), y))
        .toBeLessThan(40);
      await page.goto("/terms");
      await page.getByRole("heading").first().waitFor();
      await page.goBack();
      await article(page, 6).waitFor();
      await expect
        .poll(() => page.evaluate((wanted) => Math.abs(scrollY - wanted), y))
        .toBeLessThan(120);
    },
  );

  test(
    "by keyboard: moves between articles, likes a post of a later page, and reaches the end",
    { timeout: 120_000 },
    async () => {
      const page = await asFan({ width: 1280, height: 700 });
      await article(page, POSTS)
        .getByRole("link", { name: titleOf(POSTS), exact: true })
        .focus();
      for (let number = POSTS - 1; number >= POSTS - 12; number -= 1) {
        await article(page, number).waitFor({ state: "attached" });
        await page.keyboard.press("PageDown");
        await page.waitForFunction(
          (title) => document.activeElement?.getAttribute("aria-label") === title,
          titleOf(number),
        );
      }
      await atTop(page, POSTS - 12);
      await page.keyboard.press("PageUp");
      await page.waitForFunction(
        (title) => document.activeElement?.getAttribute("aria-label") === title,
        titleOf(POSTS - 11),
      );
      const far = article(page, POSTS - 11);
      await far.getByRole("button", { name: "Curtir 0" }).focus();
      await page.keyboard.press("Enter");
      await far.getByRole("button", { name: "Curtido 1" }).waitFor();
      await page.waitForLoadState("networkidle");
      await far.getByRole("button", { name: "Curtido 1" }).waitFor();
      await page.keyboard.press("Enter");
      await far.getByRole("button", { name: "Curtir 0" }).waitFor();
      await page.keyboard.press("Control+End");
      await expect
        .poll(() => page.evaluate(() => document.activeElement?.closest("[role=feed]") === null))
        .toBe(true);
    },
  );

  test(
    "announces new posts and shows them on request; a hidden tab does not poll",
    { timeout: 120_000 },
    async () => {
      const page = await newPage({ width: 390, height: 844 });
      await page.clock.install();
      await signInAsMember(page, fan);
      await page.goto("/");
      await hydrated(page);
      await article(page, POSTS - 6).scrollIntoViewIfNeeded();
      const asked: string[] = [];
      page.on(
        "request",
        (request) => request.url().includes("/resources/feed-news") && asked.push(request.url()),
      );
      await page.evaluate(() => {
        Object.defineProperty(document, "visibilityState", {
          configurable: true,
          get: () => "hidden",
        });
        document.dispatchEvent(new Event("visibilitychange", { bubbles: true }));
      });
      await page.clock.fastForward(180_000);
      expect(asked).toEqual([]);
      const fresh = [`Novidade de ${word}`, `Outra novidade de ${word}`];
      for (const title of fresh) await publish(title);
      await page.evaluate(() => {
        Object.defineProperty(document, "visibilityState", {
          configurable: true,
          get: () => "visible",
        });
        document.dispatchEvent(new Event("visibilitychange", { bubbles: true }));
      });
      await page.clock.fastForward(61_000);
      await page
        .getByRole("status")
        .getByText("2 publicações novas")
        .waitFor({ state: "attached" });
      await screenshot(page, "feed-news-390");
      await page.getByRole("button", { name: "2 publicações novas" }).focus();
      await page.keyboard.press("Enter");
      await page.waitForFunction(
        (title) => document.activeElement?.getAttribute("aria-label") === title,
        fresh[1],
      );
      await page
        .getByRole("separator")
        .getByText("Daqui para baixo, você já tinha visto")
        .waitFor();
      await page.getByRole("button", { name: "Voltar aonde eu estava" }).press("Enter");
      await page.waitForFunction(
        (title) => document.activeElement?.getAttribute("aria-label")?.includes(title) === true,
        word,
      );
      await page.waitForFunction(() => scrollY > 400);
    },
  );

  test("without JavaScript continues by a link, page after page, each post once", async () => {
    const page = await asFan({ javaScript: false });
    const seen: string[] = [];
    for (;;) {
      await articles(page).first().waitFor();
      seen.push(
        ...(await articles(page).evaluateAll((all) =>
          all.map((one) => one.getAttribute("aria-label") ?? ""),
        )),
      );
      const more = page.getByRole("link", { name: "Carregar mais" });
      if ((await more.count()) === 0) break;
      const next = (await more.getAttribute("href")) ?? "";
      await more.click();
      await page.waitForURL((url) => url.href.endsWith(next));
    }
    const own = seen.filter((title) => title.startsWith("Ensaio"));
    expect(own).toEqual(Array.from({ length: POSTS }, (_, index) => titleOf(POSTS - index)));
  });

  test("on a lost connection keeps the list, shows the error, and loads more by a button", async () => {
    const page = await asFan();
    await article(page, POSTS - 3).waitFor();
    // An opened list is requested once more in the background.
    await page.waitForLoadState("networkidle");
    await page.route("**/resources/feed?*", (route) => route.abort());
    await articles(page).nth(9).scrollIntoViewIfNeeded();
    await page
      .getByText("Não deu para carregar mais. Confira a internet e tente de novo.")
      .waitFor();
    await page.unroute("**/resources/feed?*");
    await page.getByRole("link", { name: "Carregar mais" }).focus();
    await page.keyboard.press("Enter");
    await expect.poll(() => articles(page).count()).toBeGreaterThan(10);
  });
});

describe("new member", () => {
  test("is offered creators, follows them in place, and reads their posts", async () => {
    const newcomer = await signUpMember(sharedServer().origin, "Nova na Praça");
    const page = await newPage({ width: 390, height: 844 });
    await signInAsMember(page, newcomer);
    await page.goto("/");
    await hydrated(page);
    await page.getByRole("heading", { name: "A praça ainda está quieta" }).waitFor();
    await screenshot(page, "newcomer-390");
    const people = page.getByRole("region", { name: "Gente para seguir" }).first();
    const follow = people.getByRole("button", { name: /^Seguir / });
    const before = await follow.count();
    await follow.first().press("Enter");
    await people
      .getByRole("button", { name: /^Seguindo / })
      .first()
      .waitFor();
    await expect.poll(() => follow.count()).toBe(before - 1);
    await follow.first().press("Enter");
    await expect.poll(() => follow.count()).toBe(before - 2);
    await page.getByRole("link", { name: "Ver as publicações" }).click();
    await articles(page).first().waitFor();
  });

  test("without JavaScript follows by page reloads and finds creators by category", async () => {
    const newcomer = await signUpMember(sharedServer().origin, "Nova sem Script");
    const page = await newPage({ javaScript: false });
    await signInAsMember(page, newcomer);
    await page.goto("/");
    await page
      .getByRole("navigation", { name: "Procurar por assunto" })
      .getByRole("link", { name: "Música" })
      .click();
    await page.waitForURL("**/explore?category=music");
    await page.getByRole("button", { name: "Seguir Ana Lira" }).click();
    await page.getByRole("button", { name: "Seguindo Ana Lira" }).waitFor();
    await page.goto("/");
    await expect.poll(() => articles(page).count()).toBeGreaterThan(0);
  });
});

describe("explore page", () => {
  test(
    "by keyboard: finds names without accents or misspelled, applies filters, and ignores punctuation",
    { timeout: 120_000 },
    async () => {
      const page = await asFan({ width: 1280, height: 860 }, "/explore");
      await page.getByRole("searchbox", { name: "Procurar pessoas e publicações" }).focus();
      await page.keyboard.type(word.toUpperCase());
      await page.keyboard.press("Enter");
      await page
        .getByRole("heading", { name: `Publicações com “${word.toUpperCase()}”` })
        .waitFor();
      await article(page, POSTS).waitFor();
      await page.getByRole("searchbox").fill("Marizete Zabumbeira");
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { name: "Você quis dizer…" }).waitFor();
      await page
        .getByRole("link", { name: /Marisete Zabumbeira/ })
        .first()
        .waitFor();
      await screenshot(page, "explore-near-1280");
      await page.getByRole("searchbox").fill(`"' ) OR ${word} *`);
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { name: /^Nada com/ }).waitFor();
      await page.getByRole("searchbox").fill("*\"'(");
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { name: `Nada com ${quoted("*\"'(")}` }).waitFor();
      await page.getByRole("link", { name: "Ver quem está na praça" }).press("Enter");
      await page.waitForURL("**/explore");
      await expect
        .poll(() => page.getByRole("heading", { name: "Quem está na praça" }).count())
        .toBe(1);
    },
  );

  test(
    "ranks liked posts higher after the rollup that runs each minute",
    { timeout: 120_000 },
    async () => {
      const path = await publish(`Em alta com ${word}`);
      await fan.postAndFollow(`${path}/like`, { liked: "true" });
      const page = await asFan({}, "/explore");
      await expect
        .poll(
          async () => {
            await page.goto("/explore/textos");
            return await page.getByRole("article", { name: `Em alta com ${word}` }).count();
          },
          { timeout: 60_000, interval: 1_000 },
        )
        .toBe(1);
      await page
        .getByRole("navigation", { name: "Ordem das publicações" })
        .getByRole("link", { name: "Novas" })
        .click();
      await page.waitForURL("**sort=new**");
      await page.getByRole("article", { name: `Em alta com ${word}` }).waitFor();
    },
  );

  test("without JavaScript the search, its tabs and its pages are links", async () => {
    const page = await asFan({ javaScript: false }, "/explore");
    await page.getByRole("searchbox").fill(word);
    await page.getByRole("button", { name: "Procurar" }).click();
    await page.waitForURL((url) => url.searchParams.get("q") === word);
    await articles(page).first().waitFor();
    await page.getByRole("link", { name: "Carregar mais" }).click();
    await page.waitForURL(
      (url) => url.searchParams.has("cursor") && url.searchParams.get("q") === word,
    );
    await articles(page).first().waitFor();
    await page.getByRole("link", { name: "Pessoas" }).click();
    await page.waitForURL((url) => url.pathname === "/explore/pessoas");
    await expect
      .poll(() => page.getByRole("heading", { name: `Nada com “${word}”` }).count())
      .toBe(1);
  });
});

describe("creator's own page", () => {
  test(
    "lists drafts and their number to the creator only, offers the post composer, and loads all posts",
    { timeout: 120_000 },
    async () => {
      const studio = await newPage({ width: 390, height: 844 });
      await signInAsMember(studio, author);
      await studio.goto("/post/create");
      await hydrated(studio);
      await studio.getByLabel("Título").first().fill("Rascunho de zabumba");
      await studio.getByText(/^Rascunho salvo às/).waitFor();
      await studio.goto("/me");
      await hydrated(studio);
      const coming = studio.getByRole("region", { name: "Em preparo" });
      await coming.getByRole("link", { name: /Rascunho de zabumba/ }).waitFor();
      await coming.getByRole("link", { name: /\d+ rascunhos?/ }).waitFor();
      await screenshot(studio, "me-preparation-390");
      await studio.getByRole("button", { name: "Escrever", exact: true }).waitFor();
      await articles(studio).nth(9).scrollIntoViewIfNeeded();
      await articles(studio).nth(14).waitFor({ state: "attached" });
      await studio.context().close();
      const page = await asFan({}, `/space/${author.username}`);
      await articles(page).first().waitFor();
      await expect.poll(() => page.getByText("Rascunho de zabumba").count()).toBe(0);
    },
  );

  test("shows the category that the creator chose from a list, and is found by it", async () => {
    const page = await newPage({ javaScript: false });
    await signInAsMember(page, author);
    await page.goto("/settings/profile");
    await page.getByLabel("Assunto").selectOption({ label: "Dança e teatro" });
    await page.getByRole("button", { name: "Salvar", exact: true }).click();
    await page.getByText("Página pública salva.").waitFor();
    const visitor = await asFan({ javaScript: false }, "/explore?category=stage");
    await expect
      .poll(() =>
        visitor
          .getByRole("list")
          .getByRole("link", { name: /Marisete Zabumbeira/ })
          .count(),
      )
      .toBeGreaterThan(0);
  });
});
