import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { newPage, signIn } from "#tests/support/browser.ts";
import { sharedServer } from "#tests/support/server.ts";
import { screenshot } from "#tests/support/steps.ts";

let origin = "";

beforeAll(() => {
  ({ origin } = sharedServer());
});

const MAKE_PAGE = "Criar minha página";

async function isTooWide(page: Page): Promise<boolean> {
  return await page.evaluate(
    () => document.documentElement.scrollWidth > document.documentElement.clientWidth,
  );
}

/** Loads the pictures far below, which a browser loads late. */
async function withPictures(page: Page): Promise<void> {
  await page.evaluate(async () => {
    for (const image of document.querySelectorAll("img")) image.loading = "eager";
    await Promise.all([...document.images].map((image) => image.decode().catch(() => null)));
  });
}

describe("the addresses that members and visitors share", () => {
  const ask = async (path: string, cookie = "") =>
    await fetch(origin + path, {
      redirect: "manual",
      headers: cookie ? { Cookie: cookie } : {},
    });

  test.each(["/", "/explore"])(
    "%s is a page for visitors from the edge cache, without framework JavaScript",
    async (path) => {
      await ask(path);
      const response = await ask(path, "coreto-theme=dark");
      const html = await response.text();
      expect([response.status, response.headers.get("CF-Cache-Status")]).toEqual([200, "HIT"]);
      expect(response.headers.get("Cache-Control")).toBe("private, no-cache");
      expect(response.headers.get("Vary")).toContain("Cookie");
      expect(response.headers.get("X-Robots-Tag")).toBeNull();
      expect(html).not.toContain("/assets/entry.client");
      expect(html).toContain(`<link rel="canonical" href="${origin}${path}"/>`);
      const scripts = [...html.matchAll(/<script>([^<]*)<\/script>/g)].map(([, text = ""]) => text);
      expect(scripts.length).toBeGreaterThan(1);
      expect(scripts.join("").length).toBeLessThan(8_000);
    },
  );

  test("a member and a visitor never get each other's page, in whatever order they ask", async () => {
    const page = await newPage();
    await signIn(page, { login: "bruno@coreto.test" });
    const cookie = (await page.context().cookies())
      .map(({ name, value }) => `${name}=${value}`)
      .join("; ");
    for (const path of ["/", "/explore"]) {
      const seen = [];
      for (const who of [cookie, "", cookie, ""]) {
        const html = await (await ask(path, who)).text();
        seen.push([html.includes("/assets/entry.client"), html.includes("Criar conta")]);
      }
      const [member, visitor] = [
        [true, false],
        [false, true],
      ];
      expect([path, seen]).toEqual([path, [member, visitor, member, visitor]]);
    }
    const own = await ask("/", cookie);
    expect(own.headers.get("Cache-Control")).toContain("no-store");
    expect(await own.text()).toContain("<title>Início · Coreto</title>");
  });

  test("a session that ended gets the visitor's page at the same address", async () => {
    const response = await ask("/", "__Host-coreto-session=nothing.nobody");
    expect([response.status, response.headers.get("Cache-Control")]).toEqual([
      200,
      "private, no-cache",
    ]);
    expect(await response.text()).toContain(MAKE_PAGE);
  });

  test("the route behind a visitor's page is no address of its own", async () => {
    const place = async (path: string) => (await ask(path)).headers.get("Location");
    expect(await place("/public")).toBe("/");
    expect(await place("/explore/public?category=music")).toBe("/explore?category=music");
  });

  test("what was typed is answered for its visitor, and not cached", async () => {
    for (const path of ["/?assinantes=10&preco=19%2C90", "/explore?q=samba"]) {
      await ask(path);
      const response = await ask(path);
      expect([response.status, response.headers.get("CF-Cache-Status")]).toEqual([200, null]);
    }
    expect(await (await ask("/explore?q=samba")).text()).toContain(
      '<meta name="robots" content="noindex, follow"/>',
    );
  });
});

describe("a visitor", () => {
  test.each([
    [390, 844],
    [1440, 900],
  ])(
    "reads on the first screen, at %i, what Coreto is and what it costs",
    async (width, height) => {
      const page = await newPage({ width, height });
      await page.goto("/");
      const ends = await Promise.all(
        [
          page.getByRole("heading", { level: 1, name: "Suba no coreto. Quem gosta, assina." }),
          page.getByText(/Publique textos, fotos, vídeos e áudios.*Pix ou cartão/),
          page.getByText(/95% de cada pagamento é seu. Sem mensalidade/),
          page.getByRole("link", { name: MAKE_PAGE }).first(),
          page.getByRole("link", { name: "Calcular quanto recebo" }),
        ].map(async (part) => {
          const box = await part.boundingBox();
          return box ? box.y + box.height : Number.NaN;
        }),
      );
      for (const end of ends) expect(end).toBeLessThan(height);
      await page.getByRole("link", { name: "Calcular quanto recebo" }).click();
      await page.waitForURL("**/#calculadora");
      await expect
        .poll(async () => {
          const box = await page.getByRole("heading", { name: "Quanto você recebe" }).boundingBox();
          return box !== null && box.y >= 0 && box.y < height;
        })
        .toBe(true);
    },
  );

  test("calculates without JavaScript, finds a creator in /explore, and comes back", async () => {
    const page = await newPage({ javaScript: false, width: 390, height: 844 });
    await page.goto("/");
    const people = page.getByLabel("Pessoas que assinam", { exact: true });
    const price = page.getByLabel("Preço por mês", { exact: true });
    await people.fill("250");
    await price.fill("30,00");
    await page.getByRole("button", { name: "Calcular" }).click();
    await page.locator("[data-earned=net]").getByText("R$ 7.125,00").waitFor();
    await price.fill("2");
    await page.getByRole("button", { name: "Calcular" }).click();
    await page.getByText("O preço mínimo é R$ 5,00").waitFor();
    expect([await people.inputValue(), await price.inputValue()]).toEqual(["250", "2"]);
    await page.getByRole("link", { name: "Ver quem mais está na praça" }).click();
    await page.getByRole("heading", { name: "Quem está na praça", level: 1 }).waitFor();
    await screenshot(page, "explore-390");
    await page.getByLabel("Procurar pessoas e publicações").fill("Ana");
    await page.getByRole("button", { name: "Procurar" }).click();
    await page.locator('a[href="/space/ana/public"]').first().click();
    await page.getByRole("heading", { level: 1, name: "Ana Lira" }).waitFor();
    await page.getByRole("link", { name: "Coreto, início" }).click();
    await page.getByRole("link", { name: MAKE_PAGE }).first().waitFor();
    expect(new URL(page.url()).pathname).toBe("/");
  });

  test("moves a slider by keyboard, and the figures are those of the server", async () => {
    const page = await newPage();
    await page.goto("/");
    const slider = page.getByLabel("Pessoas que assinam, de 10 a 1.000");
    await slider.focus();
    await slider.press("ArrowRight");
    await expect
      .poll(() => page.getByLabel("Pessoas que assinam", { exact: true }).inputValue())
      .toBe("110");
    const price = page.getByLabel("Preço por mês", { exact: true });
    const figures = async () =>
      await Promise.all(
        ["net", "gross", "fee", "people", "price"].map((name) =>
          page.locator(`[data-earned=${name}]`).innerText(),
        ),
      );
    for (const typed of ["5,00", "5,09", "19,90", "333,33"]) {
      await price.fill(typed);
      const shown = await figures();
      const plain = await newPage({ javaScript: false });
      await plain.goto(`/?assinantes=110&preco=${encodeURIComponent(typed)}`);
      const answered = await Promise.all(
        ["net", "gross", "fee", "people", "price"].map((name) =>
          plain.locator(`[data-earned=${name}]`).innerText(),
        ),
      );
      expect(shown).toEqual(answered);
      await expect
        .poll(() => page.getByText("Abaixo de R$ 10,00, só Pix.").isVisible())
        .toBe(typed.startsWith("5"));
      await plain.context().close();
    }
    await price.fill("abc");
    expect((await figures())[0]).toBe("—");
  });

  test.each([
    [390, "light"],
    [1440, "light"],
    [390, "dark"],
    [1440, "dark"],
  ] as const)("sees the first page at %i in %s", async (width, theme) => {
    const page = await newPage({ width, height: width === 390 ? 844 : 900 });
    await page
      .context()
      .addCookies([{ name: "coreto-theme", value: theme, url: origin, secure: true }]);
    const complaints: string[] = [];
    page.on("console", (message) => {
      if (message.type() === "error") complaints.push(message.text());
    });
    for (const [path, name] of [
      ["/", "front"],
      ["/explore", "explore"],
    ] as const) {
      await page.goto(path);
      await withPictures(page);
      expect(await isTooWide(page)).toBe(false);
      await screenshot(page, `${name}-${width}-${theme}`);
    }
    expect(complaints).toEqual([]);
  });

  test("needs no sideways scrolling at 320, nor with 200 % zoom", async () => {
    for (const width of [320, 640]) {
      const page = await newPage({ width, height: 700 });
      for (const path of ["/", "/explore", "/explore?q=Ana"]) {
        await page.goto(path);
        expect([width, path, await isTooWide(page)]).toEqual([width, path, false]);
      }
      await page.goto("/");
      await screenshot(page, `front-${width}`);
      await page.context().close();
    }
  });
});

describe("the help centre", () => {
  test("is searched without JavaScript and without accents, and its answers have addresses", async () => {
    const page = await newPage({ javaScript: false, width: 390, height: 844 });
    await page.goto("/ajuda");
    await screenshot(page, "help-390");
    await page.getByLabel("Procurar na ajuda").fill("ferias");
    await page.getByRole("button", { name: "Procurar" }).click();
    await page.getByRole("heading", { name: "Posso tirar férias?" }).waitFor();
    await expect
      .poll(() => page.getByRole("heading", { name: "Como pago com Pix?" }).count())
      .toBe(0);
    await page.getByLabel("Procurar na ajuda").fill("xyzabc");
    await page.getByRole("button", { name: "Procurar" }).click();
    await page.getByRole("heading", { name: "Nada com “xyzabc”" }).waitFor();
    await page.getByRole("link", { name: "veja todas as respostas" }).click();
    await page.getByRole("link", { name: "Como saco?" }).click();
    expect(new URL(page.url()).hash).toBe("#sacar");
  });

  test("is for everyone, light and narrow", async () => {
    const answer = await fetch(`${origin}/ajuda`);
    expect([answer.status, answer.headers.get("X-Robots-Tag")]).toEqual([200, null]);
    expect(await answer.text()).not.toContain("/assets/entry.client");
    for (const [width, theme] of [
      [320, "light"],
      [1440, "light"],
      [1440, "dark"],
    ] as const) {
      const page = await newPage({ width, height: 900 });
      await page
        .context()
        .addCookies([{ name: "coreto-theme", value: theme, url: origin, secure: true }]);
      await page.goto("/ajuda");
      expect(await isTooWide(page)).toBe(false);
      await screenshot(page, `help-${width}-${theme}`);
    }
  });

  test("the files at well-known addresses are served by the product", async () => {
    for (const path of ["/humans.txt", "/.well-known/security.txt"]) {
      const answer = await fetch(origin + path);
      expect([path, answer.status, answer.headers.get("Content-Type")]).toEqual([
        path,
        200,
        "text/plain; charset=utf-8",
      ]);
    }
    const changed = await fetch(`${origin}/.well-known/change-password`, { redirect: "manual" });
    expect(changed.headers.get("Location")).toBe("/auth/account/password");
  });
});
