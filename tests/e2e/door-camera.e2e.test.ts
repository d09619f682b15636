import { writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { encode } from "uqr";
import { expect, onTestFinished, test } from "vitest";
import { ensureChromium } from "#scripts/chromium.ts";
import { clockOffsetMs, shiftClockSource } from "#scripts/shifted-clock.ts";
import { fillEventForm } from "#tests/support/event-form.ts";
import { signUpMember, signUpSeller } from "#tests/support/form-client.ts";
import { sharedServer } from "#tests/support/server.ts";
import { openPageAs, screenshot } from "#tests/support/steps.ts";

const PHONE = { width: 390, height: 844 };
const MODULE_PIXELS = 10;

/** Writes a film of one frame (YUV4MPEG2) that shows the QR code of `text` in its middle. */
function filmOf(text: string): string {
  const [width, height] = [640, 480];
  const { data, size } = encode(text);
  const luma = new Uint8Array(width * height).fill(235);
  const [left, top] = [width, height].map((side) => Math.floor((side - size * MODULE_PIXELS) / 2));
  for (let y = 0; y < size * MODULE_PIXELS; y += 1)
    for (let x = 0; x < size * MODULE_PIXELS; x += 1)
      if (data[Math.floor(y / MODULE_PIXELS)]?.[Math.floor(x / MODULE_PIXELS)])
        luma[((top ?? 0) + y) * width + (left ?? 0) + x] = 16;
  const file = join(tmpdir(), `door-${text}.y4m`);
  const chroma = new Uint8Array((width * height) / 2).fill(128);
  writeFileSync(
    file,
    Buffer.concat([
      Buffer.from(`YUV4MPEG2 W${width} H${height} F5:1 Ip A1:1 C420mpeg2\nFRAME\n`),
      luma,
      chroma,
    ]),
  );
  return file;
}

/** A browser whose camera sees the film. */
async function browserSeeing(film: string) {
  const found = ensureChromium();
  if ("problem" in found) throw new Error(found.problem);
  const browser = await chromium.launch({
    executablePath: found.path,
    args: [
      "--no-sandbox",
      "--use-fake-ui-for-media-stream",
      "--use-fake-device-for-media-stream",
      `--use-file-for-fake-video-capture=${film}`,
    ],
  });
  onTestFinished(() => browser.close());
  return browser;
}

test("the camera at the door reads a ticket, which lets its person in once", async () => {
  const { origin } = sharedServer();
  const creator = await signUpSeller(origin);
  const fan = await signUpMember(origin, "Bento Reis");
  const page = await openPageAs(creator, "/events/create", PHONE);
  await fillEventForm(page, { startsAt: "2027-05-21T20:00", endsAt: "2027-05-21T22:00" });
  await page.getByRole("button", { name: "Publicar evento" }).click();
  await page.waitForURL(/\/events\/[0-9a-f]{32}$/);
  const { pathname } = new URL(page.url());
  const theirs = await openPageAs(fan, pathname, PHONE);
  await theirs.getByRole("button", { name: "Vou" }).click();
  await theirs.getByRole("heading", { name: "O seu ingresso" }).waitFor();
  const code = await theirs.locator("main p.font-mono").innerText();

  const browser = await browserSeeing(filmOf(code.replaceAll("-", "")));
  const context = await browser.newContext({
    baseURL: origin,
    viewport: PHONE,
    locale: "pt-BR",
    permissions: ["camera"],
  });
  await context.addInitScript(shiftClockSource(clockOffsetMs()));
  await context.addCookies(await page.context().cookies());
  const door = await context.newPage();
  await door.goto(`${pathname}/door`);
  await door.getByText("Lista de 1 ingresso").waitFor();
  await door.getByRole("button", { name: "Ler com a câmera" }).click();
  await door.getByText("Bento Reis pode entrar.").waitFor();
  await door.getByText("1 pessoa entrou").waitFor();
  await screenshot(door, "door-camera-390");
  // The ticket is still before the camera, and is not read again.
  await expect
    .poll(() => door.getByText("já entrou com este ingresso", { exact: false }).count())
    .toBe(0);
  await door.getByRole("button", { name: "Desligar a câmera" }).click();
  await expect.poll(() => door.getByLabel("Imagem da câmera").count()).toBe(0);
});
