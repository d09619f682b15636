import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { RunningProduct } from "#scripts/local-product.ts";
import { MINUTE_MS, TIME_ZONE } from "#app/domain/time.ts";
import { newPage } from "#tests/support/browser.ts";
import { testClock } from "#tests/support/clock.ts";
import { signUpMember, signUpSeller } from "#tests/support/form-client.ts";
import { ownProduct } from "#tests/support/own-product.ts";
import { advanceAndTick } from "#tests/support/sandbox.ts";
import { hydrated, screenshot, signInAsMember } from "#tests/support/steps.ts";

// This test moves the clock of its product, so it shares the product with no other test.
let coreto: RunningProduct;

beforeAll(async () => {
  coreto = await ownProduct();
});

afterAll(() => coreto.stop());

/** The wall time in São Paulo so many minutes from now, as a form takes it. */
const wallIn = (minutes: number): string =>
  new Date(testClock.now() + minutes * MINUTE_MS)
    .toLocaleString("sv-SE", { timeZone: TIME_ZONE })
    .replace(" ", "T")
    .slice(0, 16);

/** Fills the open form with a live class that ends soon, and publishes it. */
async function publishedClass(page: Page): Promise<string> {
  await page.getByLabel("Título").fill("Aula de rabeca ao vivo");
  await page.getByLabel("Texto").fill("Traga o arco.");
  await page.getByLabel("Começa").fill(wallIn(30));
  await page.getByLabel("Termina").fill(wallIn(90));
  await page.getByLabel("Link (opcional)").fill("https://www.youtube.com/watch?v=aqz-KE-bpKQ");
  await page.getByRole("button", { name: "Publicar evento" }).click();
  await page.waitForURL(/\/events\/[0-9a-f]{32}$/);
  return new URL(page.url()).pathname;
}

test(
  "after the event one click publishes its video, which is taken back and published again",
  { timeout: 120_000 },
  async () => {
    const { origin } = coreto;
    const creator = await signUpSeller(origin);
    const fan = await signUpMember(origin, "Bento Reis");
    const page = await newPage({ origin, width: 390, height: 844 });
    await signInAsMember(page, creator);
    await page.goto("/events/create");
    await hydrated(page);
    const path = await publishedClass(page);
    const plain = await newPage({ origin, javaScript: false });
    await signInAsMember(plain, creator);
    await plain.goto("/events/create");
    const plainPath = await publishedClass(plain);

    await advanceAndTick(origin, "PT2H");
    await page.goto(path);
    await hydrated(page);
    await page.getByText("Quem segue a página é avisado, como de toda publicação.").waitFor();
    await screenshot(page, "event-recording-390");
    await page.getByRole("button", { name: "Publicar a gravação" }).click();
    await page.waitForURL(/\/post\/[0-9a-f-]+$/);
    await page.getByRole("heading", { name: "Gravação: Aula de rabeca ao vivo" }).waitFor();
    await page.getByText("Gravação publicada. Quem segue a página é avisado.").first().waitFor();
    const post = new URL(page.url()).pathname;

    const theirs = await newPage({ origin });
    await signInAsMember(theirs, fan);
    await theirs.goto(post);
    await theirs.getByRole("heading", { name: "Gravação: Aula de rabeca ao vivo" }).waitFor();
    await theirs.getByText("Ao vivo em", { exact: false }).first().waitFor();
    await theirs.getByText("Traga o arco.").waitFor();
    await screenshot(theirs, "event-recording-post");

    // The toast takes it back, to a draft that nobody else sees.
    await page.getByRole("button", { name: "Desfazer" }).click();
    await page.waitForURL(/\/edit$/);
    await expect.poll(async () => (await theirs.goto(post))?.status()).toBe(404);

    // The event leads to that draft, and then to the post.
    await page.goto(path);
    await page.getByRole("link", { name: "Editar o rascunho da gravação" }).click();
    await page.waitForURL(/\/edit$/);
    await hydrated(page);
    await page.getByRole("button", { name: "Publicar", exact: true }).click();
    await page.waitForURL((url) => url.pathname === post);
    await page.goto(path);
    await page.getByRole("link", { name: "Ver a gravação publicada" }).click();
    await page.waitForURL((url) => url.pathname === post);

    // Without JavaScript a second click opens the post that there is, and a first one is undone by
    // a line above the page.
    await plain.goto(`${path}/recording`);
    await plain.getByRole("button", { name: "Publicar a gravação" }).click();
    await plain.waitForURL((url) => url.pathname === post);
    await plain.goto(plainPath);
    await plain.getByRole("button", { name: "Publicar a gravação" }).click();
    await plain.getByText("Gravação publicada. Quem segue a página é avisado.").waitFor();
    await plain.getByRole("button", { name: "Desfazer" }).click();
    await plain.waitForURL(/\/edit$/);
    await plain.goto(plainPath);
    await plain.getByRole("link", { name: "Editar o rascunho da gravação" }).waitFor();
  },
);
