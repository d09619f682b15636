import { beforeAll, describe, expect, test } from "vitest";
import type { Context } from "#app/domain/context.ts";
import { storedBytes } from "#app/domain/media/commands/uploads.server.ts";
import { imageHeader } from "#app/domain/media/rules.ts";
import { OPEN_UPLOADS_MAX, QUOTA_BYTES } from "#app/domain/media/schema.ts";
import type { MediaItem } from "#app/domain/media/schema.ts";
import { mediaUsage } from "#drizzle/schema/media.ts";
import { testContext } from "#tests/support/context.ts";
import { pngImage } from "#tests/support/images.ts";
import {
  box,
  joined,
  m4a,
  mp3,
  mp4,
  ogg,
  pdf,
  PLACE,
  webm,
  webmTags,
} from "#tests/support/media-files.ts";
import { createPerson } from "#tests/support/people.ts";
import type { TestPerson } from "#tests/support/people.ts";
import {
  requestAs,
  startedUpload,
  completedUpload,
  uploadPart,
  sendUpload,
  sendPart,
  sendUploadOk,
} from "#tests/support/uploads.ts";
import { testEnv } from "#tests/support/worker-env.ts";

let ctx: Context;
let ana: TestPerson;
let bruno: TestPerson;
beforeAll(async () => {
  ({ ctx } = await testContext());
  ana = await createPerson(ctx, "Ana");
  bruno = await createPerson(ctx, "Bruno");
});

const MIB = 1024 * 1024;
const errorOf = async (answer: Response) => [
  answer.status,
  ((await answer.json()) as { error: string }).error,
];
const keysOf = async (id: string) =>
  (await testEnv.MEDIA.list({ prefix: `media/${id}/` })).objects.map(({ key }) =>
    key.split("/").at(-1),
  );
/** Adjacent bytes differ, so that a misplaced part is detected. */
function filled(length: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length);
  for (let at = 0; at < length; at += 64) bytes[at] = (at / 64) % 251;
  return bytes;
}
/** Compares millions of bytes by their hash, because a diff of them would not be readable. */
const hashOf = async (bytes: Uint8Array<ArrayBuffer>) =>
  btoa(String.fromCharCode(...new Uint8Array(await crypto.subtle.digest("SHA-256", bytes))));
const own = async (path: string, headers: Record<string, string> = {}) =>
  new Uint8Array(await (await requestAs(ctx, ana, path, { headers })).arrayBuffer());

describe("a file uploaded in parts", () => {
  const video = mp4({ payload: filled(17 * MIB) });

  test("is whole in any order of its parts, and equals the sent bytes", async () => {
    const upload = await startedUpload(ctx, ana, video, {
      filename: "ensaio.mp4",
      contentType: "video/mp4",
      fingerprint: "ensaio.mp4 17 1",
    });
    for (const number of [3, 1, 2])
      expect(
        (await sendPart(ctx, ana, upload, number, uploadPart(video, upload, number))).status,
      ).toBe(200);
    const answer = await completedUpload(ctx, ana, upload);
    expect(await answer.json()).toMatchObject({
      id: upload.id,
      kind: "video",
      contentType: "video/mp4",
      width: 640,
      height: 360,
      sizeBytes: video.byteLength,
      filename: "ensaio.mp4",
    });
    const kept = await own(`/media/${upload.id}/original`);
    expect(kept.byteLength).toBe(video.byteLength);
    expect(await hashOf(kept)).toBe(await hashOf(video));
  });

  test("lists the parts received, so that a reload continues with the others; a part sent again replaces itself", async () => {
    const upload = await startedUpload(ctx, ana, video, {
      filename: "ensaio.mp4",
      fingerprint: "o mesmo",
    });
    await sendPart(ctx, ana, upload, 2, uploadPart(video, upload, 2));
    const again = await sendPart(ctx, ana, upload, 2, uploadPart(video, upload, 2));
    expect([again.status, await again.json()]).toEqual([200, { number: 2 }]);
    expect(
      await (await requestAs(ctx, ana, `/resources/uploads/${upload.id}`)).json(),
    ).toMatchObject({
      parts: [2],
      fingerprint: "o mesmo",
    });
    const listed: { uploads: unknown[] } = await (
      await requestAs(ctx, ana, "/resources/uploads")
    ).json();
    expect(listed.uploads).toContainEqual(expect.objectContaining({ id: upload.id, parts: [2] }));
    expect(await errorOf(await completedUpload(ctx, ana, upload))).toEqual([
      409,
      "Ainda faltam partes do arquivo. Continue o envio.",
    ]);
    for (const number of [1, 3])
      await sendPart(ctx, ana, upload, number, uploadPart(video, upload, number));
    expect((await completedUpload(ctx, ana, upload)).status).toBe(200);
  });

  test("refuses a part of another size, with an unknown number, or without a length", async () => {
    const upload = await startedUpload(ctx, ana, video, { filename: "ensaio.mp4" });
    const short = uploadPart(video, upload, 1).slice(1);
    expect((await errorOf(await sendPart(ctx, ana, upload, 1, short)))[0]).toBe(400);
    for (const number of [0, 4, -1, "x", "1.5"])
      expect((await sendPart(ctx, ana, upload, number, short)).status).toBe(400);
    const unsaid = await requestAs(ctx, ana, `/resources/uploads/${upload.id}/parts/3`, {
      method: "PUT",
      body: uploadPart(video, upload, 3),
    });
    expect(unsaid.status).toBe(400);
    expect(
      await (await requestAs(ctx, ana, `/resources/uploads/${upload.id}`)).json(),
    ).toMatchObject({
      parts: [],
    });
  });

  test("stores nothing of a part whose length is false", async () => {
    const upload = await startedUpload(ctx, ana, video, { filename: "ensaio.mp4" });
    const lie = requestAs(ctx, ana, `/resources/uploads/${upload.id}/parts/1`, {
      method: "PUT",
      body: new Uint8Array(100),
      headers: { "Content-Length": String(upload.partSizeBytes) },
    });
    await expect(lie).rejects.toThrow(/FixedLengthStream|bytes/);
    expect(
      await (await requestAs(ctx, ana, `/resources/uploads/${upload.id}`)).json(),
    ).toMatchObject({
      parts: [],
    });
  });

  test("is completed once by concurrent requests, and a third request returns the same file", async () => {
    const sound = mp3();
    const upload = await startedUpload(ctx, ana, sound, { filename: "valsa.mp3" });
    await sendPart(ctx, ana, upload, 1, sound);
    const both = await Promise.all([
      completedUpload(ctx, ana, upload),
      completedUpload(ctx, ana, upload),
    ]);
    expect(both.map(({ status }) => status)).toEqual([200, 200]);
    expect(await (await completedUpload(ctx, ana, upload)).json()).toEqual(await both[0]?.json());
  });

  test("is visible only to its owner", async () => {
    const upload = await startedUpload(ctx, ana, video, { filename: "ensaio.mp4" });
    const asked = [
      await requestAs(ctx, bruno, `/resources/uploads/${upload.id}`),
      await sendPart(ctx, bruno, upload, 3, uploadPart(video, upload, 3)),
      await completedUpload(ctx, bruno, upload),
      await requestAs(ctx, bruno, `/resources/uploads/${upload.id}`, { method: "DELETE" }),
      await requestAs(ctx, bruno, `/resources/uploads/${upload.id}/poster`, {
        method: "PUT",
        body: await pngImage(20, 20),
      }),
    ];
    for (const answer of asked)
      expect(await errorOf(answer)).toEqual([
        404,
        "Este envio não existe mais. Escolha o arquivo de novo.",
      ]);
    expect((await requestAs(ctx, null, "/resources/uploads")).status).toBe(401);
    expect(
      (
        await requestAs(ctx, ana, "/resources/uploads", {
          method: "POST",
          body: "{}",
          isCreator: false,
        })
      ).status,
    ).toBe(403);
    expect(
      (await requestAs(ctx, ana, `/resources/uploads/${upload.id}`, { method: "PATCH" })).status,
    ).toBe(405);
  });

  test("when aborted, leaves nothing in the bucket and accepts no more parts", async () => {
    const upload = await startedUpload(ctx, ana, video, { filename: "ensaio.mp4" });
    await sendPart(ctx, ana, upload, 1, uploadPart(video, upload, 1));
    expect(
      (await requestAs(ctx, ana, `/resources/uploads/${upload.id}`, { method: "DELETE" })).status,
    ).toBe(204);
    expect((await sendPart(ctx, ana, upload, 2, uploadPart(video, upload, 2))).status).toBe(404);
    expect((await completedUpload(ctx, ana, upload)).status).toBe(404);
    expect(await keysOf(upload.id)).toEqual([]);
  });
});

describe("refused files", () => {
  const refusedAtOnce = async (file: {
    filename: string;
    contentType?: string;
    sizeBytes: number;
  }) =>
    await errorOf(
      await requestAs(ctx, ana, "/resources/uploads", {
        method: "POST",
        body: JSON.stringify(file),
      }),
    );

  test.each([
    [
      { filename: "foto.png", contentType: "image/png", sizeBytes: 25 * MIB + 1 },
      "A imagem precisa ter até 25 MB. Reduza o tamanho e envie de novo.",
    ],
    [
      { filename: "show.mp4", contentType: "video/mp4", sizeBytes: 2048 * MIB + 1 },
      "O vídeo precisa ter até 2 GB. Reduza o tamanho e envie de novo.",
    ],
    [
      { filename: "disco.mp3", contentType: "audio/mpeg", sizeBytes: 500 * MIB + 1 },
      "O áudio precisa ter até 500 MB. Reduza o tamanho e envie de novo.",
    ],
    [
      { filename: "livro.pdf", contentType: "application/pdf", sizeBytes: 100 * MIB + 1 },
      "O PDF precisa ter até 100 MB. Reduza o tamanho e envie de novo.",
    ],
    [
      { filename: "clipe.mov", contentType: "video/quicktime", sizeBytes: 9 },
      "Vídeos MOV não são aceitos. Exporte o vídeo em MP4 e envie de novo.",
    ],
    [
      { filename: "ensaio.wav", contentType: "audio/x-wav", sizeBytes: 9 },
      expect.stringMatching(/^Áudios WAV não são aceitos.*Exporte em MP3 ou M4A/),
    ],
    [{ filename: "vazio.png", contentType: "image/png", sizeBytes: 0 }, "O arquivo está vazio."],
    [{ filename: "", contentType: "image/png", sizeBytes: 9 }, "O arquivo precisa de um nome."],
  ])("%o is refused before a byte is sent", async (file, message) => {
    expect(await refusedAtOnce(file)).toEqual([400, message]);
  });

  test("SVG and HTML are refused by their declared type, and by their bytes when that is false", async () => {
    for (const contentType of ["image/svg+xml", "text/html"])
      expect((await refusedAtOnce({ filename: "x", contentType, sizeBytes: 9 }))[1]).toMatch(
        /^Este tipo de arquivo não é aceito/,
      );
    for (const bytes of [
      joined("<svg xmlns='http://www.w3.org/2000/svg'/>"),
      joined("<!doctype html><script>alert(1)</script>"),
    ]) {
      const answer = await sendUpload(ctx, ana, bytes, {
        filename: "foto.png",
        contentType: "image/png",
      });
      expect((await errorOf(answer))[1]).toMatch(/^Este tipo de arquivo não é aceito/);
    }
  });

  test.each([
    [
      "a video that says it is an image",
      mp4(),
      { filename: "foto.png", contentType: "image/png" },
      /não é do tipo que o nome diz/,
    ],
    [
      "a PDF that says it is a video",
      pdf(),
      { filename: "show.mp4", contentType: "video/mp4" },
      /não é do tipo que o nome diz/,
    ],
    [
      "a video cut in the middle",
      mp4({ payload: filled(9_000) }).slice(0, 5_000),
      { filename: "show.mp4" },
      /está incompleto/,
    ],
    [
      "a page inside a PDF",
      joined("%PDF-1.7 <script>alert(1)</script>", pdf()),
      { filename: "livro.pdf" },
      /mistura dois formatos/,
    ],
    ["the way of a camera", mp4({ format: "gpmd" }), { filename: "show.mp4" }, /guarda o trajeto/],
    [
      "a picture only by its first bytes",
      joined(
        [0x89],
        "PNG\r\n",
        [0x1a, 0x0a],
        [0, 0, 0, 13],
        "IHDR",
        [0, 0, 0, 9, 0, 0, 0, 9],
        new Uint8Array(60),
      ),
      { filename: "foto.png" },
      /Não conseguimos ler este arquivo/,
    ],
  ])(
    "%s is refused with a message, and leaves no row and no bytes",
    async (_name, bytes, file, sentence) => {
      const upload = await startedUpload(ctx, ana, bytes, file);
      await sendPart(ctx, ana, upload, 1, bytes);
      const [status, error] = await errorOf(await completedUpload(ctx, ana, upload));
      expect([status, error]).toEqual([400, expect.stringMatching(sentence)]);
      expect(await keysOf(upload.id)).toEqual([]);
      expect((await requestAs(ctx, ana, `/media/${upload.id}/original`)).status).toBe(404);
      expect((await completedUpload(ctx, ana, upload)).status).toBe(404);
    },
  );
});

describe("stored files", () => {
  test.each([
    ["M4A", m4a(), "som.m4a", "audio/mp4"],
    ["WEBM", webm(), "clipe.webm", "video/webm"],
    ["OGG", ogg(), "som.ogg", "audio/ogg"],
    ["PDF", pdf(), "partitura.pdf", "application/pdf"],
  ])(
    "%s is stored unchanged and served under its own type",
    async (_name, bytes, filename, contentType) => {
      const item = await sendUploadOk(ctx, ana, bytes, { filename });
      const answer = await requestAs(ctx, ana, `/media/${item.id}/original`);
      expect([
        answer.status,
        answer.headers.get("Content-Type"),
        new Uint8Array(await answer.arrayBuffer()),
      ]).toEqual([200, contentType, bytes]);
    },
  );

  test("an image is stored in every width, without its original bytes", async () => {
    const png = new Uint8Array(await pngImage(2_400, 1_200));
    const secret = joined([0, 0, 0, 9], "tEXt", "lugar=", [0, 0, 1], [0, 0, 0, 0]);
    const item = await sendUploadOk(ctx, ana, joined(png.slice(0, 33), secret, png.slice(33)), {
      filename: "IMG_0001.png",
      contentType: "image/jpeg",
    });
    expect(item).toMatchObject({
      kind: "image",
      contentType: "image/webp",
      width: 1_920,
      height: 960,
      filename: "",
    });
    expect((await keysOf(item.id)).sort()).toEqual(["1280", "1920", "640", "face"]);
    for (const [variant, width] of [
      ["1920", 1_920],
      ["1280", 1_280],
      ["640", 640],
      ["face", 24],
    ] as const) {
      const bytes = await own(`/media/${item.id}/${variant}`);
      expect(imageHeader(bytes)).toMatchObject({ contentType: "image/webp", width });
      expect(new TextDecoder("latin1").decode(bytes)).not.toContain("lugar=");
    }
    expect((await requestAs(ctx, ana, `/media/${item.id}/original`)).status).toBe(404);
  });

  test("a video is stored without its recording location", async () => {
    const bytes = mp4({
      userData: [box("\u00a9xyz", [0, 18, 0x15, 0xc7], PLACE), box("loci", PLACE)],
      payload: filled(9 * MIB),
      indexLast: true,
    });
    const item = await sendUploadOk(ctx, ana, bytes, { filename: "praia.mp4" });
    const kept = await own(`/media/${item.id}/original`);
    expect(kept.byteLength).toBe(bytes.byteLength);
    expect(new TextDecoder("latin1").decode(kept)).not.toContain(PLACE);
    // The samples are at their offsets.
    expect(await hashOf(kept.slice(0, 9 * MIB))).toBe(await hashOf(bytes.slice(0, 9 * MIB)));
  });

  test("a WEBM is stored without the location in its tags", async () => {
    const bytes = webm({ tags: webmTags({ TITLE: "Praia", LOCATION: PLACE }), tagsLast: "sought" });
    const item = await sendUploadOk(ctx, ana, bytes, { filename: "praia.webm" });
    const kept = new TextDecoder("latin1").decode(await own(`/media/${item.id}/original`));
    expect([kept.length, kept.includes(PLACE), kept.includes("Praia")]).toEqual([
      bytes.byteLength,
      false,
      true,
    ]);
  });

  test("a poster is uploaded with its video, in two sizes, and only while the video is being uploaded", async () => {
    const bytes = webm();
    const upload = await startedUpload(ctx, ana, bytes, { filename: "clipe.webm" });
    const put = (body: BodyInit) =>
      requestAs(ctx, ana, `/resources/uploads/${upload.id}/poster`, { method: "PUT", body });
    expect((await put(new Uint8Array(3 * MIB))).status).toBe(400);
    expect((await put("<svg/>")).status).toBe(400);
    expect((await put(await pngImage(1_600, 900))).status).toBe(204);
    await sendPart(ctx, ana, upload, 1, bytes);
    const item: MediaItem = await (await completedUpload(ctx, ana, upload)).json();
    expect(item.hasPoster).toBe(true);
    expect(imageHeader(await own(`/media/${item.id}/poster`))?.width).toBe(1_280);
    expect(imageHeader(await own(`/media/${item.id}/face`))?.width).toBe(24);
    expect((await put(await pngImage(16, 9))).status).toBe(404);
  });
});

describe("limits", () => {
  test("concurrent uploads of a member are limited, also for concurrent requests", async () => {
    const many = await createPerson(ctx, "Muitas");
    const ask = () =>
      requestAs(ctx, many, "/resources/uploads", {
        method: "POST",
        body: JSON.stringify({ filename: "a.mp3", sizeBytes: 900 }),
      });
    const answers = await Promise.all(Array.from({ length: OPEN_UPLOADS_MAX + 5 }, ask));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(OPEN_UPLOADS_MAX);
    expect(await errorOf(await ask())).toEqual([
      429,
      "Você tem 20 envios abertos. Termine ou cancele um deles e tente de novo.",
    ]);
  });

  test("the storage limit counts stored files and pending uploads", async () => {
    const full = await createPerson(ctx, "Cheia");
    await sendUploadOk(ctx, full, pdf(), { filename: "a.pdf" });
    expect(await storedBytes(ctx, { ownerId: full.id })).toBe(pdf().byteLength);
    const room = 1_000 * MIB;
    await ctx.db.update(mediaUsage).set({ storedBytes: QUOTA_BYTES - room });
    const ask = (sizeBytes: number) =>
      requestAs(ctx, full, "/resources/uploads", {
        method: "POST",
        body: JSON.stringify({ filename: "a.mp4", sizeBytes }),
      });
    expect((await ask(room + 1)).status).toBe(429);
    expect((await ask(room)).status).toBe(200);
    expect(await errorOf(await ask(1))).toEqual([
      429,
      "Você chegou ao limite de 100 GB de arquivos. Apague publicações com arquivos grandes e tente de novo.",
    ]);
    await ctx.db.delete(mediaUsage);
  });
});
