import { beforeAll, describe, expect, test } from "vitest";
import type { Context } from "#app/domain/context.ts";
import { testContext } from "#tests/support/context.ts";
import { joined, mp4, pdf } from "#tests/support/media-files.ts";
import { createPerson } from "#tests/support/people.ts";
import type { TestPerson } from "#tests/support/people.ts";
import {
  requestAs,
  startedUpload,
  completedUpload,
  sendUpload,
  sendPart,
} from "#tests/support/uploads.ts";
import { testEnv } from "#tests/support/worker-env.ts";

let ctx: Context;
let ana: TestPerson;
beforeAll(async () => {
  ({ ctx } = await testContext());
  ana = await createPerson(ctx, "Ana");
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
      "a video sent as an image",
      mp4(),
      { filename: "foto.png", contentType: "image/png" },
      /não é do tipo que o nome diz/,
    ],
    [
      "a PDF sent as a video",
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
    [
      "the recording path of a camera",
      mp4({ format: "gpmd" }),
      { filename: "show.mp4" },
      /guarda o trajeto/,
    ],
    [
      "an image only by its first bytes",
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
    async (_name, bytes, file, refusalMessage) => {
      const upload = await startedUpload(ctx, ana, bytes, file);
      await sendPart(ctx, ana, upload, 1, bytes);
      const [status, error] = await errorOf(await completedUpload(ctx, ana, upload));
      expect([status, error]).toEqual([400, expect.stringMatching(refusalMessage)]);
      expect(await keysOf(upload.id)).toEqual([]);
      expect((await requestAs(ctx, ana, `/media/${upload.id}/original`)).status).toBe(404);
      expect((await completedUpload(ctx, ana, upload)).status).toBe(404);
    },
  );
});
