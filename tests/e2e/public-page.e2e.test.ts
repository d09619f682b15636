import { gzipSync } from "node:zlib";
import { beforeAll, describe, expect, test } from "vitest";
import { newPage } from "#tests/support/browser.ts";
import { sharedServer } from "#tests/support/server.ts";
import { screenshot } from "#tests/support/steps.ts";

const ANA = "/space/ana/public";
/** Largest size of the text of a first visit: the page itself and its styles. */
const HTML_BUDGET_BYTES = 20_000;
const STYLE_BUDGET_BYTES = 20_000;

let origin = "";

beforeAll(() => {
  ({ origin } = sharedServer());
});

describe("a creator's page, for a visitor", () => {
  test("shows the creator, the number of followers, the plans and their prices", async () => {
    const page = await newPage({ width: 1440, height: 900 });
    await page.goto(ANA);
    await page.getByRole("heading", { name: "Ana Lira", level: 1 }).waitFor();
    // The default banner is a flag pattern derived from her name.
    expect(
      (await page.locator("main header svg").first().boundingBox())?.width,
    ).toBeGreaterThanOrEqual(1_440);
    await expect
      .poll(() =>
        page
          .locator('main header img[src*="/320"]')
          .first()
          .evaluate((image) => image instanceof HTMLImageElement && image.naturalWidth > 64),
      )
      .toBe(true);
    await page.getByText("Forró de rabeca, cantado e contado.").first().waitFor();
    await page
      .getByText(/\d+ seguidores/)
      .first()
      .waitFor();
    await page.getByText("20 publicações").first().waitFor();
    const plans = page.getByRole("region", { name: "Planos" });
    const offers = await plans
      .getByRole("listitem")
      .filter({ has: page.getByRole("heading") })
      .allInnerTexts();
    expect(offers.map((offer) => offer.replaceAll(/\s+/g, " "))).toEqual([
      expect.stringMatching(/Banquinho .*R\$ 9,90 por mês/),
      expect.stringMatching(/Camarim .*R\$ 19,90 por mês .*R\$ 199,00 por ano/),
      expect.stringMatching(/Mestre de roda .*R\$ 49,90 por mês .*de 20 lugares/),
    ]);
    await screenshot(page, "ana-public-1440-light");
  });

  test("opens public posts, and shows why others are locked with the cheapest way in", async () => {
    const page = await newPage({ width: 390, height: 844 });
    await page.goto(ANA);
    const open = page.getByRole("article", { name: "Como meu avô afinava a rabeca" });
    await open.getByText("Ele dizia que a corda avisa.").waitFor();
    await expect
      .poll(() => open.getByRole("link", { name: "Ler tudo" }).getAttribute("href"))
      .toMatch(/^\/space\/ana\/public\/[0-9a-z-]+$/);
    const plan = page.getByRole("article", { name: "Ensaio completo de domingo, 42 min" });
    await plan.getByText(/Esta publicação é de quem assina Camarim/).waitFor();
    await plan.getByRole("link", { name: /^Assinar Camarim por R\$\s19,90\/mês$/ }).waitFor();
    const anyPlan = page.getByRole("article", { name: "Quintal nº 31: Lua de Goiana" });
    await anyPlan.getByText("Esta publicação é de quem assina.").waitFor();
    await anyPlan.getByRole("link", { name: /^Assinar Banquinho por R\$\s9,90\/mês$/ }).waitFor();
    const followers = page.getByRole("article", { name: "O que é uma roda, afinal" });
    await followers.getByRole("button", { name: "Seguir Ana Lira para ver" }).waitFor();
    expect(await page.content()).not.toContain("A partir dos 34 minutos");
    await screenshot(page, "ana-public-390-light");
  });

  test("describes itself to search engines and chat previews", async () => {
    const html = await (await fetch(origin + ANA)).text();
    const meta = (name: string) =>
      new RegExp(`<meta (?:property|name)="${name}" content="([^"]+)"`).exec(html)?.[1];
    expect(html).toContain(`<link rel="canonical" href="${origin}${ANA}"`);
    expect(meta("og:title")).toBe("Ana Lira");
    expect(meta("og:url")).toBe(origin + ANA);
    expect(meta("og:description")).toContain("Forró de rabeca");
    expect(html).toMatch(/<title>Ana Lira · rabeca e forró · Coreto<\/title>/);
    const image = await fetch(meta("og:image") ?? "");
    expect(image.status).toBe(200);
    expect(image.headers.get("Content-Type")).toMatch(/^image\//);
  });

  test("ships no framework JavaScript, few bytes, and no personal data", async () => {
    const response = await fetch(origin + ANA, { headers: { Cookie: "coreto-theme=dark" } });
    const html = await response.text();
    expect(html).not.toMatch(/<script[^>]+src=/);
    expect(html).not.toContain("modulepreload");
    expect(html).not.toContain("__reactRouterContext");
    expect(gzipSync(html).length).toBeLessThan(HTML_BUDGET_BYTES);
    for (const [, href = ""] of html.matchAll(/<link rel="stylesheet" href="([^"]+)"/g)) {
      const style = await (await fetch(new URL(href, origin))).text();
      expect(gzipSync(style).length, href).toBeLessThan(STYLE_BUDGET_BYTES);
    }
    expect(response.headers.get("Set-Cookie")).toBeNull();
    expect(response.headers.get("Cache-Control")).toMatch(/^public, .*s-maxage=\d+/);
    expect(response.headers.get("Vary") ?? "").not.toMatch(/cookie/i);
  });

  test("loads no script in a real browser, and logs no errors", async () => {
    const page = await newPage();
    const scripts: string[] = [];
    const complaints: string[] = [];
    page.on(
      "request",
      (request) => request.resourceType() === "script" && scripts.push(request.url()),
    );
    page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
    page.on("pageerror", (error) => complaints.push(error.message));
    await page.goto(ANA, { waitUntil: "networkidle" });
    expect(scripts).toEqual([]);
    expect(complaints).toEqual([]);
  });

  test("shows the offer at a phone's bottom only after the plans are scrolled away", async () => {
    const page = await newPage({ width: 390, height: 844 });
    await page.goto(ANA);
    const offer = page.getByRole("link", { name: /^Assinar · a partir de R\$\s9,90$/ });
    await page.locator("#planos").evaluate((plans) => plans.scrollIntoView({ block: "center" }));
    await offer.waitFor({ state: "hidden" });
    await page
      .locator("article")
      .nth(1)
      .evaluate((post) => post.scrollIntoView({ block: "center" }));
    await offer.waitFor({ state: "visible" });
    expect((await offer.boundingBox())?.y).toBeGreaterThan(700);
  });

  test("follows the visitor's theme, from one cached copy for everyone", async () => {
    const page = await newPage({ theme: "light" });
    await page.context().addCookies([{ name: "coreto-theme", value: "dark", url: origin }]);
    await page.goto(ANA);
    await expect.poll(() => page.evaluate(() => document.documentElement.className)).toBe("dark");
    await screenshot(page, "ana-public-1280-dark");
  });
});

test("an unknown username gets a page with suggestions", async () => {
  const page = await newPage({ width: 390, height: 844 });
  const answer = await page.goto("/space/anna/public");
  expect(answer?.status()).toBe(404);
  await page.getByText("Ninguém no Coreto usa o nome @anna.").waitFor();
  await page
    .getByRole("link", { name: /Ana Lira/ })
    .first()
    .waitFor();
  await expect
    .poll(() => page.locator('meta[name="robots"]').getAttribute("content"))
    .toBe("noindex");
  await screenshot(page, "nobody-390");
});
