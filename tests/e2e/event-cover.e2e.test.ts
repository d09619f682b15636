import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { newPage } from "#tests/support/browser.ts";
import { fillEventForm } from "#tests/support/event-form.ts";
import { signUpSeller } from "#tests/support/form-client.ts";
import type { SellerClient } from "#tests/support/form-client.ts";
import { picture } from "#tests/support/picture.ts";
import { sharedServer } from "#tests/support/server.ts";
import { hydrated, imagesLoaded, openPageAs, screenshot } from "#tests/support/steps.ts";

let creator: SellerClient;

beforeAll(async () => {
  creator = await signUpSeller(sharedServer().origin);
});

const TIMES = { startsAt: "2027-05-21T20:00", endsAt: "2027-05-21T22:00" };
const png = (seed: number) => ({
  name: "capa.png",
  mimeType: "image/png",
  buffer: picture(seed),
});
const choose = async (page: Page, file: ReturnType<typeof png>): Promise<void> =>
  page.getByLabel(/^(Outra capa|Capa)/).setInputFiles(file);

/** What the public page says to search engines and to chats of its picture. */
async function sharedPictures(visitor: Page, path: string): Promise<(string | null)[]> {
  await visitor.goto(path);
  const said = await visitor.locator('script[type="application/ld+json"]').textContent();
  const graph = (JSON.parse(said ?? "") as { "@graph": { "@type": string; image?: string }[] })[
    "@graph"
  ];
  const event = graph.find((one) => one["@type"] === "Event");
  const og = await visitor.locator('meta[property="og:image"]').getAttribute("content");
  return [event?.image ?? null, og];
}

test("a cover shows on the event's pages and where it is shared, is replaced, and goes", async () => {
  const page = await openPageAs(creator, "/events/create", { width: 390, height: 844 });
  await fillEventForm(page, TIMES);
  await choose(page, png(4));
  await page.getByLabel("Descrição da capa para quem não vê").fill("Listras de papel");
  await page.getByRole("button", { name: "Publicar evento" }).click();
  await page.waitForURL(/\/events\/[0-9a-f]{32}$/);
  await expect.poll(() => imagesLoaded(page, "Listras de papel")).toBe(true);
  await screenshot(page, "event-cover-390");
  const path = new URL(page.url()).pathname;
  const publicPath = `/space/${creator.username}/public${path}`;

  const visitor = await newPage({ width: 1440, height: 900, javaScript: false });
  const [first, firstOg] = await sharedPictures(visitor, publicPath);
  expect(first).toMatch(/^https?:\/\/[^/]+\/media\/[0-9a-f]+\/1280/);
  expect(firstOg).toBe(first);
  expect((await fetch(first ?? "")).headers.get("Content-Type")).toBe("image/webp");
  await visitor.getByRole("img", { name: "Listras de papel" }).waitFor();
  await screenshot(visitor, "event-cover-public-1440");

  // Another one, without JavaScript.
  const plain = await openPageAs(creator, `${path}/edit`, { javaScript: false });
  await plain.getByRole("img", { name: "Listras de papel" }).waitFor();
  await choose(plain, png(2));
  await plain.getByLabel("Descrição da capa para quem não vê").fill("Outras listras");
  await plain.getByRole("button", { name: "Salvar alterações" }).click();
  await plain.getByRole("img", { name: "Outras listras" }).waitFor();
  await expect.poll(async () => (await sharedPictures(visitor, publicPath))[0]).not.toBe(first);

  await page.goto(`${path}/edit`);
  await hydrated(page);
  await page.getByLabel("Tirar a capa").check();
  await page.getByRole("button", { name: "Salvar alterações" }).click();
  await page.waitForURL(`**${path}`);
  await expect.poll(() => page.getByRole("img", { name: "Outras listras" }).count()).toBe(0);
  await expect.poll(async () => (await sharedPictures(visitor, publicPath))[0]).toBeNull();
});

const text = {
  name: "capa.png",
  mimeType: "image/png",
  buffer: Buffer.from("<svg onload='alert(1)'/>"),
};
const heavy = { ...text, buffer: Buffer.alloc(13 * 1024 * 1024, 7) };

test.each([
  ["with JavaScript", true],
  ["without JavaScript", false],
])(
  "%s a wrong or too large cover is refused beside it, and nothing typed is lost",
  async (_, javaScript) => {
    const page = await openPageAs(creator, "/events/create", {
      javaScript,
      width: 390,
      height: 844,
    });
    await fillEventForm(page, TIMES);
    await page.getByLabel("Texto").fill("Uma linha.\nOutra linha.");
    await page.getByLabel("Vagas (opcional)").fill("40");
    await page.getByLabel("Aprovar cada pedido de vaga").check();
    await page.getByLabel("Descrição da capa para quem não vê").fill("Listras");
    const refused = async (file: typeof text, message: RegExp): Promise<void> => {
      await choose(page, file);
      await page.getByRole("button", { name: "Publicar evento" }).click();
      const field = page.getByLabel(/^Capa/);
      await expect.poll(() => field.getAttribute("aria-invalid")).toBe("true");
      const described = (await field.getAttribute("aria-describedby")) ?? "";
      const said = page.locator(
        described
          .split(" ")
          .map((id) => `[id="${id}"]`)
          .join(", "),
      );
      await said.filter({ hasText: message }).first().waitFor();
      await expect.poll(() => page.getByLabel("Título").inputValue()).toBe("Roda de rabeca");
      await expect
        .poll(async () => (await page.getByLabel("Texto").inputValue()).replaceAll("\r", ""))
        .toBe("Uma linha.\nOutra linha.");
      await expect.poll(() => page.getByLabel("Vagas (opcional)").inputValue()).toBe("40");
      await expect.poll(() => page.getByLabel("Descrição da capa").inputValue()).toBe("Listras");
      await expect.poll(() => page.getByLabel("Começa").inputValue()).toBe(TIMES.startsAt);
      await expect.poll(() => page.getByLabel("Aprovar cada pedido").isChecked()).toBe(true);
    };
    await refused(text, /Envie uma imagem JPG, PNG/);
    await refused(heavy, /grande demais/);
    await screenshot(page, `event-cover-refused-${javaScript ? "" : "plain-"}390`);
    await choose(page, png(1));
    await page.getByRole("button", { name: "Publicar evento" }).click();
    await page.waitForURL(/\/events\/[0-9a-f]{32}$/);
  },
);
