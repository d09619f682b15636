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

test(
  "after the event one click makes a post of its video, and who may read it plays it there",
  { timeout: 120_000 },
  async () => {
    const { origin } = coreto;
    const creator = await signUpSeller(origin);
    const fan = await signUpMember(origin, "Bento Reis");
    const page = await newPage({ origin, width: 390, height: 844 });
    await signInAsMember(page, creator);
    await page.goto("/events/create");
    await hydrated(page);
    await page.getByLabel("Título").fill("Aula de rabeca ao vivo");
    await page.getByLabel("Começa").fill(wallIn(30));
    await page.getByLabel("Termina").fill(wallIn(90));
    await page.getByLabel("Link (opcional)").fill("https://www.youtube.com/watch?v=aqz-KE-bpKQ");
    await page.getByRole("button", { name: "Publicar evento" }).click();
    await page.waitForURL(/\/events\/[0-9a-f]{32}$/);
    const path = new URL(page.url()).pathname;

    await advanceAndTick(origin, "PT2H");
    await page.goto(path);
    await hydrated(page);
    await page.getByRole("button", { name: "Publicar a gravação" }).click();
    await page.waitForURL(/\/post\/.+\/edit/);
    await page.getByText("Rascunho da gravação criado", { exact: false }).first().waitFor();
    await screenshot(page, "event-recording-390");
    await page.getByRole("button", { name: "Publicar", exact: true }).click();
    await page.waitForURL(/\/post\/[0-9a-f-]+$/);
    await page.getByRole("heading", { name: "Gravação: Aula de rabeca ao vivo" }).waitFor();

    const theirs = await newPage({ origin });
    await signInAsMember(theirs, fan);
    await theirs.goto(new URL(page.url()).pathname);
    await theirs.getByRole("heading", { name: "Gravação: Aula de rabeca ao vivo" }).waitFor();
    await theirs.getByText("Ao vivo em", { exact: false }).first().waitFor();
    await screenshot(theirs, "event-recording-post");

    // A second click opens the post that there is.
    await page.goto(path);
    await hydrated(page);
    await page.getByRole("button", { name: "Publicar a gravação" }).click();
    await page.waitForURL(/\/post\/[0-9a-f-]+$/);
    expect(new URL(page.url()).pathname).toBe(new URL(theirs.url()).pathname);
  },
);
