import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newPage } from "#tests/support/browser.ts";
import { createFormClient, signUpMember, signUpSeller } from "#tests/support/form-client.ts";
import type { SellerClient } from "#tests/support/form-client.ts";
import { joined, mp3, mp4, pdf } from "#tests/support/media-files.ts";
import { picture } from "#tests/support/picture.ts";
import { recordedWebm } from "#tests/support/recording.ts";
import { sharedServer } from "#tests/support/server.ts";
import { signInAsMember, hydrated, openPart, pickFiles, screenshot } from "#tests/support/steps.ts";

let seller: SellerClient;
const folder = mkdtempSync(join(tmpdir(), "coreto-uploads-"));
/** Three parts. The file is on disk, so that its date is the same when it is chosen again. */
const large = join(folder, "show-inteiro.mp4");

beforeAll(async () => {
  seller = await signUpSeller(sharedServer().origin);
  writeFileSync(large, mp4({ payload: new Uint8Array(20 * 1024 * 1024) }));
}, 60_000);
afterAll(() => rmSync(folder, { recursive: true }));

async function composer(options: Parameters<typeof newPage>[0] = {}): Promise<Page> {
  const page = await newPage(options);
  await signInAsMember(page, seller);
  await page.goto("/post/create");
  if (options.javaScript !== false) await hydrated(page);
  return page;
}

const chooser = (page: Page) => page.getByLabel("Imagens, vídeos, áudios ou PDF");
const row = (page: Page, name: string) => page.getByRole("listitem", { name });

async function publish(
  page: Page,
  title: string,
  visibility: "public" | "subscribers" = "public",
): Promise<string> {
  await page.getByLabel("Título").fill(title);
  await page.getByLabel("Texto", { exact: true }).fill("Com tudo o que gravamos.");
  await openPart(page, "Quem pode ver");
  const ways = page.getByRole("group", { name: "Quem pode ver" });
  await ways.locator(`input[value=${visibility}]`).check();
  if (visibility !== "public") await ways.getByLabel("Todo mundo").uncheck();
  await page.getByRole("button", { name: "Publicar" }).click();
  await page.waitForURL((url) => /^\/post\/(?!create)/.test(url.pathname));
  await page.getByRole("heading", { name: title, level: 1 }).waitFor();
  return new URL(page.url()).pathname;
}

describe("post with every kind of file", () => {
  let path = "";
  let lockedPath = "";

  test("is uploaded while it is written, ordered by keyboard, and published whole", async () => {
    const page = await composer();
    const video = { name: "ensaio.webm", mimeType: "video/webm", buffer: await recordedWebm(page) };
    await pickFiles(
      page,
      { name: "capa.png", mimeType: "image/png", buffer: picture(4, 2_000, 1_200) },
      { name: "palco.png", mimeType: "image/png", buffer: picture(5) },
      video,
      { name: "valsa.mp3", mimeType: "audio/mpeg", buffer: Buffer.from(mp3({ frames: 800 })) },
      { name: "partitura.pdf", mimeType: "application/pdf", buffer: Buffer.from(pdf()) },
    );
    await row(page, "capa.png").getByLabel("Descrição para quem não vê").fill("A capa do disco");
    await row(page, "palco.png").getByLabel("Descrição para quem não vê").fill("O palco vazio");
    await row(page, "ensaio.webm")
      .getByLabel("Descrição para quem não vê")
      .fill("O ensaio de quinta");
    await row(page, "ensaio.webm")
      .getByLabel("Legendas (VTT)")
      .setInputFiles({
        name: "fala.srt",
        mimeType: "text/plain",
        buffer: Buffer.from("1\n00:00:01,000 --> 00:00:02,000\noi"),
      });
    await row(page, "ensaio.webm")
      .getByText("As legendas precisam ser um arquivo VTT, que começa com WEBVTT.")
      .waitFor();
    await row(page, "ensaio.webm")
      .getByLabel("Legendas (VTT)")
      .setInputFiles({
        name: "fala.vtt",
        mimeType: "text/vtt",
        buffer: Buffer.from("WEBVTT\n\n00:00.000 --> 00:10.000\nAgora vai\n"),
      });
    await row(page, "ensaio.webm")
      .getByText(/^Legendas de fala.vtt guardadas/)
      .waitFor();
    await row(page, "palco.png").getByRole("button", { name: "Subir palco.png" }).press("Enter");
    await expect
      .poll(() =>
        page
          .getByRole("listitem")
          .filter({ has: page.getByText(/^Enviado/) })
          .first()
          .getAttribute("aria-label"),
      )
      .toBe("palco.png");
    await screenshot(page, "composer-media");
    path = await publish(page, "Tudo de uma vez");
    const images = page.getByRole("list", { name: "2 imagens" }).getByRole("img");
    await images.nth(1).waitFor();
    await expect
      .poll(() => images.evaluateAll((all) => all.map((image) => image.getAttribute("alt"))))
      .toEqual(["O palco vazio", "A capa do disco"]);
    await expect
      .poll(() => images.nth(1).getAttribute("srcset"))
      .toMatch(/640 640w, \S+1280 1280w, \S+1920 1920w$/);
    await screenshot(page, "post-media");
  });

  test("plays video with poster and captions, and sound, at another speed, by keyboard, and from the saved position", async () => {
    const page = await newPage();
    await signInAsMember(page, seller);
    await page.goto(path);
    await hydrated(page);
    const video = page.locator("video");
    await expect
      .poll(() => video.getAttribute("src"))
      .toMatch(/\/original\?until=\d+&for=\w+&signature=/);
    const poster = await video.getAttribute("poster");
    expect((await page.request.get(poster ?? "")).headers()["content-type"]).toBe("image/webp");
    await video.evaluate((element: HTMLVideoElement) => {
      element.muted = true;
    });
    await video.press("k");
    await page.waitForFunction(() => (document.querySelector("video")?.currentTime ?? 0) > 0.3);
    await page.waitForFunction(
      () => document.querySelector("video")?.textTracks[0]?.cues?.length === 1,
    );
    await video.press("k");
    // A comment reloads the page data: the video keeps playing at its position.
    const address = await video.getAttribute("src");
    await page.getByLabel("Seu comentário", { exact: true }).fill("Que ensaio!");
    await page.getByRole("button", { name: "Comentar" }).click();
    await page.getByText("Que ensaio!", { exact: true }).waitFor();
    await expect.poll(() => video.getAttribute("src")).toBe(address);
    await expect
      .poll(() => video.evaluate((element: HTMLVideoElement) => element.currentTime))
      .toBeGreaterThan(0.3);
    await video.press(">");
    await expect
      .poll(() => page.locator("figure", { has: video }).getByLabel("Velocidade").inputValue())
      .toBe("1.25");
    const audio = page.locator("audio");
    await page
      .locator("figure", { has: audio })
      .getByLabel("Velocidade")
      .selectOption({ label: "1,5×" });
    await expect
      .poll(() => audio.evaluate((element: HTMLAudioElement) => element.playbackRate))
      .toBe(1.5);
    await audio.evaluate((element: HTMLAudioElement) => {
      element.currentTime = 12;
    });
    await page.waitForFunction(() =>
      Object.keys(localStorage).some((key) => key.startsWith("coreto-position-")),
    );
    await page.reload();
    await page.getByText("Continua de 0:12.").waitFor();
    await expect
      .poll(() => audio.evaluate((element: HTMLAudioElement) => Math.round(element.currentTime)))
      .toBe(12);
    await page.getByRole("button", { name: "Começar do início" }).click();
    await expect
      .poll(() => audio.evaluate((element: HTMLAudioElement) => element.currentTime))
      .toBe(0);
  });

  test("has the captions of a published post replaced, removed and added again, by keyboard too", async () => {
    const page = await newPage({ width: 390, height: 844 });
    await signInAsMember(page, seller);
    const cues = () =>
      page.evaluate(() =>
        [...(document.querySelector("video")?.textTracks[0]?.cues ?? [])].map((cue) =>
          cue instanceof VTTCue ? cue.text : "",
        ),
      );
    const edit = async () => {
      await page.goto(`${path}/edit`);
      await hydrated(page);
    };
    const send = (text: string) =>
      row(page, "ensaio.webm")
        .getByLabel(/legendas \(VTT\)/i)
        .setInputFiles({ name: "outra.vtt", mimeType: "text/vtt", buffer: Buffer.from(text) });
    await edit();
    await row(page, "ensaio.webm").getByText("este arquivo tem legendas").waitFor();
    await send("nada");
    await row(page, "ensaio.webm")
      .getByText("As legendas precisam ser um arquivo VTT, que começa com WEBVTT.")
      .waitFor();
    await send("WEBVTT\n\n00:00.000 --> 00:10.000\nDe outro jeito\n");
    await row(page, "ensaio.webm")
      .getByText(/^Legendas de outra.vtt guardadas/)
      .waitFor();
    await screenshot(page, "composer-captions-phone");
    await page.goto(path);
    await expect.poll(cues).toEqual(["De outro jeito"]);
    await edit();
    await row(page, "ensaio.webm")
      .getByRole("button", { name: "Retirar as legendas de ensaio.webm" })
      .press("Enter");
    await row(page, "ensaio.webm").getByText("Legendas retiradas.").waitFor();
    await page.goto(path);
    await hydrated(page);
    await expect.poll(() => page.locator("video, audio").count()).toBe(2);
    await expect.poll(() => page.locator("video track").count()).toBe(0);
    await edit();
    await send("WEBVTT\n\n00:00.000 --> 00:10.000\nDe volta\n");
    await row(page, "ensaio.webm")
      .getByText(/^Legendas de outra.vtt guardadas/)
      .waitFor();
    await page.goto(path);
    await expect.poll(cues).toEqual(["De volta"]);
  });

  test("without JavaScript shows the players, the images and the PDF", async () => {
    const page = await newPage({ javaScript: false });
    await signInAsMember(page, seller);
    await page.goto(path);
    await expect.poll(() => page.locator("video[controls], audio[controls]").count()).toBe(2);
    const link = page.getByRole("link", { name: /partitura\.pdf/ });
    const answer = await page.request.get((await link.getAttribute("href")) ?? "");
    expect([answer.status(), answer.headers()["content-disposition"]]).toEqual([
      200,
      expect.stringContaining("attachment"),
    ]);
  });

  test("while locked, shows the thumbnail of its video and nothing else", async () => {
    const page = await composer();
    await pickFiles(page, {
      name: "segredo.webm",
      mimeType: "video/webm",
      buffer: await recordedWebm(page),
    });
    await row(page, "segredo.webm").getByLabel("Descrição para quem não vê").fill("Um segredo");
    lockedPath = await publish(page, "Só para quem assina", "subscribers");
    const id = /\/media\/([\w-]+)\/original/.exec(await page.content())?.[1] ?? "";
    const curious = await signUpMember(seller.origin, "Curioso Dias");
    const html = await (await curious.get(lockedPath)).text();
    expect([
      ...new Set(
        [...html.matchAll(/\/media\/([\w-]+)\/(\w+)/g)]
          .filter(([, found]) => found === id)
          .map(([, , variant]) => variant),
      ),
    ]).toEqual(["face"]);
    expect(html).not.toMatch(/segredo\.webm|Um segredo/);
    for (const visitor of [curious, createFormClient(seller.origin)]) {
      expect((await visitor.get(`/media/${id}/face`)).status).toBe(200);
      for (const variant of ["original", "poster"])
        expect((await visitor.get(`/media/${id}/${variant}`, { Range: "bytes=0-99" })).status).toBe(
          404,
        );
    }
  });
});

describe("interrupted upload", () => {
  test("pauses, and continues after a reload with the missing parts", async () => {
    const page = await composer();
    // Three parts of a big file take long on a busy machine.
    page.setDefaultTimeout(45_000);
    const held: (() => void)[] = [];
    await page.route("**/parts/2", (route) => void held.push(() => void route.abort()));
    await chooser(page).setInputFiles(large);
    await expect.poll(() => held.length, { timeout: 45_000 }).toBe(1);
    await row(page, "show-inteiro.mp4")
      .getByRole("progressbar")
      .and(page.locator("[value='39'], [value='40']"))
      .waitFor();
    await expect
      .poll(() => page.getByRole("button", { name: "Enviando arquivos…" }).isDisabled())
      .toBe(true);
    await page.getByRole("button", { name: "Pausar" }).press("Enter");
    await row(page, "show-inteiro.mp4")
      .getByText(/^Em pausa · 8,4 MB de 21 MB$/)
      .waitFor();
    await page.reload();
    await row(page, "show-inteiro.mp4")
      .getByText(/Envio interrompido/)
      .waitFor();
    await page.unroute("**/parts/2");
    const numbers: string[] = [];
    page.on("request", (request) => {
      const number = /\/parts\/(\d+)$/.exec(request.url())?.[1];
      if (number) numbers.push(number);
    });
    await chooser(page).setInputFiles(large);
    await row(page, "show-inteiro.mp4")
      .getByText(/^Enviado/)
      .waitFor();
    expect(numbers).toEqual(["2", "3"]);
    await row(page, "show-inteiro.mp4")
      .getByRole("button", { name: "Retirar show-inteiro.mp4" })
      .click();
    await expect
      .poll(() =>
        page
          .getByRole("listitem")
          .filter({ hasText: "show-inteiro.mp4" })
          .filter({ has: page.getByRole("progressbar") })
          .count(),
      )
      .toBe(0);
  });

  test("sends a lost part again, and offers a finished file that no post used", async () => {
    const page = await composer();
    // Leaves before the draft is saved: a saved draft would own the file.
    await page.route("**/post/draft/save*", (route) => route.abort());
    let lost = 0;
    await page.route("**/parts/1", (route) => {
      lost += 1;
      return lost === 1 ? route.abort() : route.continue();
    });
    await chooser(page).setInputFiles({
      name: "volta.mp3",
      mimeType: "audio/mpeg",
      buffer: Buffer.from(mp3()),
    });
    await row(page, "volta.mp3")
      .getByText(/^Enviado/)
      .waitFor();
    expect(lost).toBe(2);
    await page.reload();
    await page.getByText(/enviados? antes, ainda sem publicação/).click();
    await page.getByRole("button", { name: "Usar volta.mp3" }).click();
    await row(page, "volta.mp3")
      .getByText(/^Enviado/)
      .waitFor();
  });

  test("of a refused file shows the reason beside it, and the other files continue", async () => {
    const page = await composer({ width: 390, height: 844 });
    await page.getByLabel("Título").fill("Não se perde");
    await chooser(page).setInputFiles([
      {
        name: "foto.png",
        mimeType: "image/png",
        buffer: Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'/>"),
      },
      {
        name: "misto.mp3",
        mimeType: "audio/mpeg",
        buffer: Buffer.from(joined(mp3(), "PK", [5, 6], new Uint8Array(18))),
      },
      { name: "boa.mp3", mimeType: "audio/mpeg", buffer: Buffer.from(mp3()) },
    ]);
    await row(page, "foto.png")
      .getByText(/^Este tipo de arquivo não é aceito/)
      .waitFor();
    await row(page, "misto.mp3")
      .getByText(/^Este arquivo mistura dois formatos/)
      .waitFor();
    await row(page, "boa.mp3")
      .getByText(/^Enviado/)
      .waitFor();
    await expect.poll(() => page.getByLabel("Título").inputValue()).toBe("Não se perde");
    await expect
      .poll(() => page.evaluate(() => document.documentElement.scrollWidth - innerWidth))
      .toBeLessThanOrEqual(0);
    await screenshot(page, "composer-media-phone");
  });

  test("without JavaScript one image is sent with the form", async () => {
    const page = await composer({ javaScript: false });
    await page
      .getByLabel("Imagem")
      .setInputFiles({ name: "foto.png", mimeType: "image/png", buffer: picture(8) });
    await page.getByLabel("Descrição para quem não vê").fill("Listras");
    const path = await publish(page, "Sem JavaScript");
    await expect.poll(() => page.getByRole("img", { name: "Listras" }).count()).toBe(1);
    expect(path).toMatch(/^\/post\//);
  });
});
