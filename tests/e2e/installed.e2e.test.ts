import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { newPage, signIn } from "#tests/support/browser.ts";
import { signUpSeller } from "#tests/support/form-client.ts";
import { picture } from "#tests/support/picture.ts";
import { sharedServer } from "#tests/support/server.ts";
import { hydrated, screenshot, signInAsMember } from "#tests/support/steps.ts";

const workers = (page: Page) =>
  page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length);

/** Waits until the worker answers the page's requests. */
async function install(page: Page): Promise<void> {
  await page.evaluate(async () => {
    dispatchEvent(new Event("appinstalled"));
    await navigator.serviceWorker.ready;
  });
}

describe("who installed the app", () => {
  test("has the start page as it was seen last and a page that says so while there is no network, until they sign out", async () => {
    const page = await newPage({ width: 390, height: 844 });
    await signIn(page, { login: "bruno" });
    await hydrated(page);
    await install(page);
    // The worker sees the pages from the next one on.
    await page.goto("/");
    const title = await page
      .getByRole("feed")
      .getByRole("article")
      .first()
      .getAttribute("aria-label");
    await expect
      .poll(() => page.evaluate(async () => (await caches.keys()).toSorted()))
      .toEqual(["coreto-shell-1", "coreto-start"]);

    await page.context().setOffline(true);
    await page.goto("/settings/purchases");
    await page.getByRole("heading", { name: "Você está sem conexão" }).waitFor();
    await screenshot(page, "offline-390");
    await page.getByRole("link", { name: "Abrir o início" }).click();
    await page.getByRole("article", { name: title ?? "" }).waitFor();
    await screenshot(page, "offline-feed-390");
    await page.goto("/notifications");
    await page.context().setOffline(false);
    await page.getByRole("link", { name: "Tentar de novo" }).click();
    await page.getByRole("heading", { name: "Notificações" }).waitFor();

    await page.goto("/settings");
    await page.getByRole("main").getByRole("button", { name: "Sair" }).click();
    await page.waitForURL("**/auth/login");
    await expect.poll(() => page.evaluate(() => caches.keys())).toEqual(["coreto-shell-1"]);
    await page.context().setOffline(true);
    await page.goto("/");
    await page.getByRole("heading", { name: "Você está sem conexão" }).waitFor();
  });

  test("is the only one with a service worker", async () => {
    const page = await newPage();
    await page.goto("/");
    await signIn(page, { login: "bruno" });
    await hydrated(page);
    await page.goto("/explore");
    await hydrated(page);
    expect(await workers(page)).toBe(0);
    await install(page);
    expect(await workers(page)).toBe(1);
  });
});

type Manifest = {
  icons: { src: string; sizes: string; type: string; purpose?: string }[];
  screenshots: { src: string; sizes: string; type: string }[];
  shortcuts: { url: string }[];
};

test("the manifest's pictures and shortcuts exist, as large and of the kind that it says", async () => {
  const { origin } = sharedServer();
  const page = await newPage();
  await signIn(page, { login: "ana" });
  const manifest = (await (await fetch(`${origin}/manifest.webmanifest`)).json()) as Manifest;
  expect(manifest.icons.map(({ purpose }) => purpose)).toContain("maskable");
  for (const { src, sizes, type } of [...manifest.icons, ...manifest.screenshots]) {
    const answer = await fetch(origin + src);
    expect([src, answer.headers.get("Content-Type")]).toEqual([src, type]);
    if (sizes === "any") continue;
    const size = await page.evaluate(async (url) => {
      const image = new Image();
      image.src = url;
      await image.decode();
      return `${image.naturalWidth}x${image.naturalHeight}`;
    }, src);
    expect([src, size]).toEqual([src, sizes]);
  }
  for (const { url } of manifest.shortcuts) expect((await page.goto(url))?.status()).toBe(200);
});

describe("a picture from the device's share sheet", () => {
  const shared = (file: { name: string; mimeType: string; buffer: Buffer }) => ({
    multipart: {
      title: "Ensaio de hoje",
      content: "No quintal.",
      link: "https://exemplo.test/video",
      image: file,
    },
    // As a browser sends what no page asked for.
    headers: { Origin: "null", "Sec-Fetch-Site": "none", "Sec-Fetch-Mode": "navigate" },
    maxRedirects: 0,
  });

  test("is stored, and waits in the composer of a new draft", async () => {
    const seller = await signUpSeller(sharedServer().origin);
    const page = await newPage({ width: 390, height: 844 });
    await signInAsMember(page, seller);
    const answer = await page
      .context()
      .request.post(
        "/post/shared",
        shared({ name: "ensaio.png", mimeType: "image/png", buffer: picture(3) }),
      );
    expect(answer.status()).toBe(302);
    await page.goto(answer.headers()["location"] ?? "");
    await expect.poll(() => page.getByLabel("Título").first().inputValue()).toBe("Ensaio de hoje");
    await expect
      .poll(() => page.getByLabel("Texto", { exact: true }).inputValue())
      .toBe("No quintal.\n\nhttps://exemplo.test/video");
    await expect.poll(() => page.locator('input[name="mediaIds"]').count()).toBe(1);
    await screenshot(page, "shared-picture-390");
  });

  test("is refused with a message beside the text when it is no picture", async () => {
    const seller = await signUpSeller(sharedServer().origin);
    const page = await newPage();
    await signInAsMember(page, seller);
    const answer = await page
      .context()
      .request.post(
        "/post/shared",
        shared({ name: "nota.png", mimeType: "image/png", buffer: Buffer.from("nada") }),
      );
    expect(answer.status()).toBe(400);
    const text = await answer.text();
    for (const words of ["Ensaio de hoje", "Envie uma imagem JPG"])
      expect([words, text.includes(words)]).toEqual([words, true]);
  });
});
