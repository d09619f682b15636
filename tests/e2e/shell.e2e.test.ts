import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { settingsMenu } from "#app/components/shell/navigation/settings-menu.ts";
import { newPage, signIn } from "#tests/support/browser.ts";
import { hydrated } from "#tests/support/steps.ts";

const rootClass = (page: Page) => page.evaluate(() => document.documentElement.className);
const kept = (page: Page) => page.evaluate(() => localStorage.getItem("coreto-theme"));
const themeButton = (page: Page, name: string) =>
  page.getByRole("button", { name, exact: true }).first();

describe("theme", () => {
  test("is light at first, changes at once, is saved for the next page, and applies to pages without our JavaScript", async () => {
    const page = await newPage({ theme: "dark" });
    await page.goto("/auth/login");
    await expect.poll(() => rootClass(page)).toBe("light");
    await themeButton(page, "Escuro").click();
    await page.waitForFunction(() => document.documentElement.classList.contains("dark"));
    await expect.poll(() => kept(page)).toBe("dark");
    await page.reload();
    await expect.poll(() => rootClass(page)).toBe("dark");
    await page.goto("/terms");
    await expect.poll(() => rootClass(page)).toBe("dark");
    await themeButton(page, "Claro").click();
    await page.waitForFunction(() => document.documentElement.classList.contains("light"));
    expect(new URL(page.url()).pathname).toBe("/terms");
    await page.goto("/auth/login");
    await expect.poll(() => rootClass(page)).toBe("light");
  });

  test("is saved when the member navigates before the server stored it", async () => {
    const page = await newPage();
    await page.route("**/resources/theme", (route) => route.abort());
    await page.goto("/auth/login");
    await hydrated(page);
    await themeButton(page, "Escuro").click();
    await page.waitForFunction(() => document.documentElement.classList.contains("dark"));
    await page.goto("/terms");
    await expect.poll(() => rootClass(page)).toBe("dark");
    await page.goto("/auth/login");
    await hydrated(page);
    await expect.poll(() => rootClass(page)).toBe("dark");
  });

  test("follows the device when chosen, also while the page is open", async () => {
    const page = await newPage({ theme: "light" });
    await page.goto("/auth/login");
    await themeButton(page, "Do aparelho").click();
    await page.waitForFunction(() => document.cookie.includes("coreto-theme=system"));
    await page.emulateMedia({ colorScheme: "dark" });
    await page.waitForFunction(() => document.documentElement.classList.contains("dark"));
    await page.reload();
    await expect.poll(() => rootClass(page)).toBe("dark");
  });

  test("changes without JavaScript, and the member stays on the same page", async () => {
    const page = await newPage({ javaScript: false });
    await page.goto("/auth/login?to=%2Fnotifications");
    await themeButton(page, "Escuro").click();
    await page.waitForURL("**/auth/login?to=%2Fnotifications");
    await expect.poll(() => page.locator("html").getAttribute("class")).toBe("dark");
  });
});

describe("member page layout", () => {
  test("first Tab press offers to skip to the content; signing out is announced", async () => {
    const page = await newPage();
    await signIn(page, { login: "ana" });
    await page.goto("/notifications");
    await page.keyboard.press("Tab");
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.textContent))
      .toBe("Ir para o conteúdo");
    await page.getByRole("button", { name: "Sair" }).click();
    await page.waitForURL("**/auth/login");
    await page.getByText("Você saiu da sua conta.").waitFor();
  });

  test("a page reached by a link is announced to screen readers, once", async () => {
    const page = await newPage();
    await signIn(page, { login: "ana" });
    await page.goto("/notifications");
    await hydrated(page);
    expect(await saidPolitely(page)).not.toContain("Explorar · Coreto");
    await page.getByRole("link", { name: "Explorar", exact: true }).first().click();
    await page.waitForURL("**/explore");
    await expect.poll(() => saidPolitely(page)).toContain("Explorar · Coreto");
  });

  test("a toast without JavaScript is a line of the page", async () => {
    const page = await newPage({ javaScript: false, width: 390, height: 844 });
    await signIn(page, { login: "bruno", to: "/settings" });
    await page.getByRole("main").getByRole("button", { name: "Sair" }).click();
    await page.waitForURL("**/auth/login");
    await expect
      .poll(() => page.getByRole("main").getByRole("status").innerText())
      .toBe("Você saiu da sua conta.");
  });

  test("a phone has five bottom links: creators can create, other members see their subscriptions", async () => {
    const places = async (login: string) => {
      const page = await newPage({ width: 390, height: 844 });
      await signIn(page, { login });
      const links = page.getByRole("navigation", { name: "Principal" }).getByRole("link");
      await links.first().waitFor();
      const names = await links.evaluateAll((found) =>
        found.map((link) => link.getAttribute("aria-label") ?? link.textContent),
      );
      await page.context().close();
      return names;
    };
    expect(await places("ana")).toEqual(["Início", "Explorar", "Criar", "Mensagens", "Perfil"]);
    expect(await places("bruno")).toEqual([
      "Início",
      "Explorar",
      "Assinaturas",
      "Mensagens",
      "Perfil",
    ]);
  });

  test("the moderation link is shown to moderators only", async () => {
    const page = await newPage();
    await signIn(page, { login: "bruno" });
    const answer = await page.goto("/admin/ledger");
    expect(answer?.status()).toBe(404);
    await expect.poll(() => page.getByRole("link", { name: "Entrar" }).count()).toBe(0);
  });

  test("without a network the layout stays and the page says what to do", async () => {
    const page = await newPage();
    await signIn(page, { login: "ana" });
    await page.goto("/notifications");
    const rail = page.getByRole("navigation", { name: "Principal" });
    await rail.getByRole("link", { name: "Ajustes" }).click();
    await page.getByRole("heading", { name: "Ajustes" }).waitFor();
    await rail.getByRole("link", { name: "Notificações" }).click();
    await page.getByRole("heading", { name: "Notificações" }).waitFor();
    await page.context().setOffline(true);
    await page.getByRole("status").getByText("Você está sem internet").waitFor();
    await rail.getByRole("link", { name: "Ajustes" }).click();
    await page.getByRole("heading", { name: "Você está sem internet" }).waitFor();
    await expect.poll(() => rail.isVisible()).toBe(true);
  });
});

const PAGES = [
  "/",
  "/explore",
  "/notifications",
  "/messages",
  "/events",
  "/analytics",
  "/me",
  "/settings",
  "/settings/connections",
  "/settings/policies",
  "/settings/transfers",
  "/settings/transactions",
];

test.each([
  { width: 320, height: 640 },
  { width: 1024, height: 768 },
  { width: 1440, height: 900 },
])(
  "no page scrolls sideways at $width pixels, and each has one title",
  async ({ width, height }) => {
    const page = await newPage({ width, height });
    await signIn(page, { login: "ana" });
    for (const path of [...PAGES, "/space/ana/public", "/terms/creators", "/nao-existe"]) {
      await page.goto(path);
      const tooWide = await page.evaluate(
        () =>
          Math.max(document.documentElement.scrollWidth, document.body.scrollWidth) -
          window.innerWidth,
      );
      expect(tooWide, `${path} at ${width}`).toBeLessThanOrEqual(0);
      await expect.poll(() => page.locator("h1").count(), { message: path }).toBe(1);
    }
  },
);

test("on every page of the settings menu the first heading is its title", async () => {
  const page = await newPage({ width: 1440, height: 900 });
  await signIn(page, { login: "ana" });
  const all = { isCreator: true, editsPlans: true, seesMoney: true, managesBilling: true };
  for (const { to } of [{ to: "/settings" }, ...settingsMenu(all).flatMap(({ items }) => items)]) {
    await page.goto(to);
    const first = page.locator("h1, h2, h3, h4").first();
    await expect
      .poll(() => first.evaluate((heading) => heading.tagName), { message: to })
      .toBe("H1");
  }
});

test("the focus ring of Sair is not clipped", async () => {
  const page = await newPage({ width: 1440, height: 900 });
  await signIn(page, { login: "ana" });
  const RING = 5;
  const room = await page.getByRole("button", { name: "Sair" }).evaluate((button) => {
    let box = button.parentElement;
    while (box && getComputedStyle(box).overflowY !== "auto") box = box.parentElement;
    const [inner, outer] = [button.getBoundingClientRect(), box?.getBoundingClientRect()];
    return Math.min(
      inner.left - (outer?.left ?? 0),
      (outer?.right ?? 0) - inner.right,
      (outer?.bottom ?? 0) - inner.bottom,
    );
  });
  expect(room).toBeGreaterThanOrEqual(RING);
});

/** Returns the texts of the page's live regions, as a screen reader announces them. */
async function saidPolitely(page: Page): Promise<unknown[]> {
  const devtools = await page.context().newCDPSession(page);
  const { nodes } = await devtools.send("Accessibility.getFullAXTree");
  const byId = new Map(nodes.map((node) => [node.nodeId, node]));
  const live = nodes.filter(({ properties }) =>
    properties?.some(({ name, value }) => name === "live" && value.value === "polite"),
  );
  return live.flatMap(({ childIds }) => (childIds ?? []).map((id) => byId.get(id)?.name?.value));
}
