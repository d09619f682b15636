import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { newPage, signIn } from "#tests/support/browser.ts";
import { hydrated, screenshot } from "#tests/support/steps.ts";

const palette = (page: Page) => page.getByRole("dialog", { name: "Buscar ou ir para" });
const help = (page: Page) => page.getByRole("dialog", { name: "Atalhos do teclado" });
const focused = (page: Page) =>
  page.evaluate(() => document.activeElement?.closest("article")?.getAttribute("aria-label"));

async function signedIn(login: string, options: Parameters<typeof newPage>[0] = {}): Promise<Page> {
  const page = await newPage(options);
  await signIn(page, { login });
  if (options.javaScript !== false) await hydrated(page);
  return page;
}

describe("the palette", () => {
  test("opens by key and by button, finds pages, people and posts, and does actions", async () => {
    const page = await signedIn("ana");
    await page.keyboard.press("Control+k");
    await palette(page).waitFor();
    await palette(page).getByRole("option", { name: "Criar plano" }).waitFor();
    await screenshot(page, "palette-light");
    await page.keyboard.type("notifica");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/notifications");
    await palette(page).waitFor({ state: "hidden" });

    const button = page.getByRole("link", { name: "Buscar ou ir para" });
    await button.click();
    await page.keyboard.type("nilo");
    await palette(page).getByRole("group", { name: "Pessoas" }).getByText("Seu Nilo").waitFor();
    await page.keyboard.press("Escape");
    await expect.poll(() => button.evaluate((link) => link === document.activeElement)).toBe(true);

    await page.keyboard.press("Control+k");
    await page.keyboard.type("sobrado");
    await palette(page).getByRole("option", { name: "O sobrado que tinha três donos" }).click();
    await page.waitForURL("**/post/*");

    await page.keyboard.press("Control+k");
    await page.keyboard.type("tema escuro");
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => document.documentElement.classList.contains("dark"));
    await page.keyboard.press("Control+k");
    await page.keyboard.type("xqzwvk");
    await palette(page).getByText("Nada encontrado.").waitFor();
    await screenshot(page, "palette-nothing-dark");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/explore?q=xqzwvk");

    await page.keyboard.press("Control+k");
    await page.keyboard.type("sair");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/auth/login");
  });

  test("says so when people and posts cannot be searched", async () => {
    const page = await signedIn("bruno");
    await page.route("**/resources/palette**", (route) =>
      route.fulfill({ status: 429, json: { error: "Muitas buscas seguidas." } }),
    );
    await page.keyboard.press("Control+k");
    await page.keyboard.type("ajustes");
    await palette(page).getByRole("alert").filter({ hasText: "Muitas buscas seguidas." }).waitFor();
    // Pages and actions need no search.
    await expect
      .poll(() => palette(page).getByRole("option", { name: "Ajustes", exact: true }).isVisible())
      .toBe(true);
  });

  test("its script is loaded when it is asked for, and not before", async () => {
    const page = await newPage();
    const scripts: string[] = [];
    page.on("request", (request) => scripts.push(request.url()));
    await signIn(page, { login: "bruno" });
    await hydrated(page);
    await page.keyboard.press("Tab");
    const loaded = () => scripts.filter((url) => /\/commands-[\w-]+\.js$/.test(url)).length;
    expect(loaded()).toBe(0);
    await page.keyboard.press("Control+k");
    await palette(page).waitFor();
    expect(loaded()).toBe(1);
  });

  test("is a link to the search without JavaScript", async () => {
    const page = await signedIn("bruno", { javaScript: false });
    await page.getByRole("link", { name: "Buscar ou ir para" }).click();
    await page.waitForURL("**/explore");
    await expect
      .poll(() => page.getByLabel("Procurar pessoas e publicações").isVisible())
      .toBe(true);
  });
});

describe("shortcuts", () => {
  test("move between posts, like, open pages and help, and leave fields alone", async () => {
    const page = await signedIn("bruno");
    await page.getByRole("feed").getByRole("article").nth(1).waitFor();
    const titles = await page
      .getByRole("feed")
      .getByRole("article")
      .evaluateAll((posts) => posts.map((post) => post.getAttribute("aria-label")));
    await page.keyboard.press("j");
    await expect.poll(() => focused(page)).toBe(titles[0]);
    await page.keyboard.press("j");
    await expect.poll(() => focused(page)).toBe(titles[1]);
    await page.keyboard.press("k");
    await expect.poll(() => focused(page)).toBe(titles[0]);

    await page.keyboard.press("g");
    await page.keyboard.press("e");
    await page.waitForURL("**/explore");
    await page.getByLabel("Procurar pessoas e publicações").click();
    await page.keyboard.type("g?n/");
    await expect
      .poll(() => page.getByLabel("Procurar pessoas e publicações").inputValue())
      .toBe("g?n/");
    await expect.poll(() => page.getByRole("dialog").count()).toBe(0);
    await page.getByRole("heading", { name: "Publicações" }).first().click();
    await page.keyboard.press("/");
    await palette(page).waitFor();
    await page.keyboard.press("Escape");
    await page.keyboard.press("?");
    await help(page).waitFor();
    // Fans have no key to write.
    await expect.poll(() => help(page).getByText("Escrever uma publicação").count()).toBe(0);
    await screenshot(page, "shortcut-help");
  });

  test("can be switched off, which this browser remembers, and on again from the palette", async () => {
    const page = await signedIn("bruno");
    await page.keyboard.press("?");
    await help(page)
      .getByRole("switch", { name: /Usar atalhos de uma tecla/ })
      .uncheck();
    await help(page).getByRole("button", { name: "Fechar" }).click();
    await page.reload();
    await hydrated(page);
    await page.keyboard.press("?");
    await page.keyboard.press("g");
    await page.keyboard.press("n");
    await page.keyboard.press("Control+k");
    await palette(page).waitFor();
    expect(new URL(page.url()).pathname).toBe("/");
    await page.keyboard.type("atalhos");
    await page.keyboard.press("Enter");
    await help(page).getByRole("switch").check();
    await page.keyboard.press("Escape");
    await help(page).waitFor({ state: "hidden" });
    await page.keyboard.press("g");
    await page.keyboard.press("n");
    await page.waitForURL("**/notifications");
  });
});

test("the title and the app's icon have the number of unread notifications, kept live", async () => {
  const page = await newPage();
  await page.addInitScript(() => {
    const badges: number[] = [];
    Object.assign(window, { badges });
    Object.assign(navigator, {
      setAppBadge: async (count: number) => void badges.push(count),
      clearAppBadge: async () => void badges.push(0),
    });
  });
  const badge = () =>
    page.evaluate(() => (window as unknown as { badges: number[] }).badges.at(-1));
  let unread = 4;
  await page.route("**/resources/notification-count", (route) =>
    route.fulfill({ json: { unread } }),
  );
  await page.clock.install();
  await signIn(page, { login: "ana", to: "/settings" });
  await hydrated(page);
  await page.clock.runFor("01:30");
  await expect.poll(() => page.title()).toBe("(4) Ajustes · Coreto");
  await expect.poll(badge).toBe(4);
  await page.getByRole("link", { name: "Explorar", exact: true }).first().click();
  await page.waitForURL("**/explore");
  await expect.poll(() => page.title()).toBe("(4) Explorar · Coreto");
  unread = 0;
  await page.clock.runFor("01:30");
  await expect.poll(() => page.title()).toBe("Explorar · Coreto");
  await expect.poll(badge).toBe(0);
});
