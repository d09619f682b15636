import fc from "fast-check";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { FILE_PROBLEM_MESSAGES } from "#app/domain/media/errors.ts";
import { imageHeader, inspectImage } from "#app/domain/media/rules.ts";
import { inspectFile, isTooHeavy, declaredKind } from "#app/domain/media/rules/files.ts";
import type { InspectionResult } from "#app/domain/media/rules/inspection.ts";
import { missingParts, partCount, partLength } from "#app/domain/media/rules/parts.ts";
import { LARGEST_BYTES } from "#app/domain/media/rules/limits.ts";
import {
  box,
  joined,
  m4a,
  mp3,
  mp4,
  ogg,
  pdf,
  PLACE,
  quicktimeMeta,
  uint32,
  webm,
  webmTags,
  zipEnd,
} from "#tests/support/media-files.ts";

/** Runs the inspection over bytes in memory and counts the bytes that it read. */
function judged(bytes: Uint8Array): { verdict: InspectionResult; bytesRead: number } {
  const reading = inspectFile(bytes.byteLength);
  let bytesRead = 0;
  let step = reading.next();
  while (!step.done) {
    const { offset, length } = step.value;
    const part = bytes.slice(offset, offset + length);
    bytesRead += part.byteLength;
    step = reading.next(part);
  }
  return { verdict: step.value, bytesRead };
}

const verdictOf = (bytes: Uint8Array) => judged(bytes).verdict;
const whyNot = (bytes: Uint8Array) => {
  const verdict = verdictOf(bytes);
  return verdict.ok ? `${verdict.contentType} was taken` : verdict.why;
};

/** The file with the patches applied. */
function cleaned(bytes: Uint8Array): Uint8Array {
  const verdict = verdictOf(bytes);
  if (!verdict.ok) throw new Error(verdict.why);
  const copy = Uint8Array.from(bytes);
  for (const patch of verdict.patches) copy.set(patch.bytes, patch.offset);
  return copy;
}

const asText = (bytes: Uint8Array) => new TextDecoder("latin1").decode(bytes);

describe("the kind of a file is detected from its bytes", () => {
  test.each([
    ["MP4", mp4(), { kind: "video", contentType: "video/mp4", width: 640, height: 360 }],
    [
      "MP4 of a camera, index last",
      mp4({ indexLast: true }),
      { kind: "video", contentType: "video/mp4" },
    ],
    ["MP4 held upright", mp4({ turned: true }), { kind: "video", width: 360, height: 640 }],
    ["M4A", m4a(), { kind: "audio", contentType: "audio/mp4" }],
    ["sound in an MP4", mp4({ handler: "soun" }), { kind: "audio", contentType: "audio/mp4" }],
    ["WEBM", webm(), { kind: "video", contentType: "video/webm", width: 320, height: 180 }],
    [
      "WEBM of a recorder, with large blocks",
      webm({ live: true, blockBytes: 900_000 }),
      { kind: "video", contentType: "video/webm" },
    ],
    ["WEBM of a recorder", webm({ live: true }), { kind: "video", contentType: "video/webm" }],
    ["sound in a WEBM", webm({ trackType: 2 }), { kind: "audio", contentType: "audio/webm" }],
    ["MP3", mp3(), { kind: "audio", contentType: "audio/mpeg" }],
    ["MP3 with a tag", mp3({ tagBytes: 3_000 }), { kind: "audio", contentType: "audio/mpeg" }],
    ["OGG Opus", ogg(), { kind: "audio", contentType: "audio/ogg" }],
    ["OGG Vorbis", ogg({ codec: "\u0001vorbis" }), { kind: "audio", contentType: "audio/ogg" }],
    ["PDF", pdf(), { kind: "document", contentType: "application/pdf" }],
  ])("%s", (_name, bytes, expected) => {
    expect(verdictOf(bytes)).toMatchObject({ ok: true, patches: [], ...expected });
  });

  test.each(["jpeg", "png", "gif", "webp", "avif"] as const)(
    "a real %s, encoded by another library",
    async (format) => {
      const bytes = await sharp({
        create: { width: 60, height: 40, channels: 3, background: "#0E6B46" },
      })
        .toFormat(format)
        .toBuffer();
      expect(verdictOf(bytes)).toMatchObject({
        ok: true,
        kind: "image",
        contentType: `image/${format}`,
        width: 60,
        height: 40,
      });
    },
  );

  test.each([
    [
      "SVG",
      joined("<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>"),
      "unknown_type",
    ],
    ["HTML", joined("<!doctype html><script>alert(1)</script>"), "unknown_type"],
    ["a script", joined("#!/bin/sh\nrm -rf /\n and more of it"), "unknown_type"],
    ["nothing much", joined("x"), "unknown_type"],
    ["a program", joined("MZ", new Uint8Array(200)), "unknown_type"],
    ["MKV", webm({ docType: "matroska" }), "unknown_type"],
    ["MOV", mp4({ brand: "qt  " }), "quicktime"],
    ["WAV", joined("RIFF", uint32(36), "WAVEfmt "), "wav"],
    ["HEIC", box("ftyp", "heic", uint32(0), "mif1"), "heic"],
    ["OGG of a video", ogg({ codec: "\u0080theora" }), "unknown_type"],
    [
      "an MP4 of nothing",
      joined(
        box("ftyp", "isom", uint32(0)),
        box("moov", box("mvhd", new Uint8Array(100))),
        box("mdat", new Uint8Array(8)),
      ),
      "broken",
    ],
    [
      "a PNG of a whole wall",
      joined(
        [0x89],
        "PNG\r\n",
        [0x1a, 0x0a],
        uint32(13),
        "IHDR",
        uint32(60_000, 60_000),
        new Uint8Array(9),
      ),
      "too_large",
    ],
    [
      "an AVIF bomb",
      joined(
        box("ftyp", "avif", uint32(0)),
        box("meta", uint32(0), box("iprp", box("ipco", box("ispe", uint32(0, 30_000, 30_000))))),
      ),
      "too_large",
    ],
  ])("%s is refused", (_name, bytes, why) => {
    expect(whyNot(bytes)).toBe(why);
  });

  test.each([
    ["a PDF that is a page too", joined("%PDF-1.7\n<html><script>alert(1)</script>", pdf())],
    [
      "an MP4 that is a page too",
      joined(box("ftyp", "isom", uint32(512), "<script>alert(1)</script>"), mp4().slice(24)),
    ],
    ["a sound that is a ZIP too", joined(mp3(), zipEnd())],
    ["a GIF that is a ZIP too", joined("GIF89a", [9, 0, 9, 0], new Uint8Array(300), zipEnd())],
    [
      "a ZIP behind a ZIP's own comment",
      joined(mp3(), "PK", [5, 6], new Uint8Array(16), [3, 0], "abc"),
    ],
    ["a WEBM with more behind it", joined(webm(), "more")],
    ["an OGG with more behind it", joined(ogg(), "more")],
    [
      "a PNG that is a PDF too",
      joined([0x89], "PNG\r\n", [0x1a, 0x0a], uint32(13), "IHDR", uint32(10, 10), "%PDF-1.4"),
    ],
  ])("%s is refused as a polyglot", (_name, bytes) => {
    expect(whyNot(bytes)).toBe("polyglot");
  });

  test.each([
    ["an MP4", mp4({ payload: new Uint8Array(5_000) })],
    [
      "an MP4 whose index was to come last",
      mp4({ payload: new Uint8Array(5_000), indexLast: true }),
    ],
    ["a WEBM", webm()],
    ["a WEBM of a recorder", webm({ live: true })],
    ["a WEBM of a recorder, in a large block", webm({ live: true, blockBytes: 900_000 })],
    ["an OGG", ogg()],
    ["a PDF", pdf()],
  ])("%s truncated in the middle is refused", (_name, bytes) => {
    expect(whyNot(bytes.slice(0, Math.floor(bytes.byteLength / 2) + 40))).toBe("cut");
  });

  test("an MP3 shorter than its header says is refused", () => {
    const whole = mp3({ frames: 60 });
    whole.set(joined("Xing", uint32(3, 60, whole.byteLength)), 36);
    expect(verdictOf(whole)).toMatchObject({ ok: true });
    expect(whyNot(whole.slice(0, 417 * 30))).toBe("cut");
  });
});

describe("the recording location of a video", () => {
  const iso6709 = box("\u00a9xyz", [0, 18, 0x15, 0xc7], PLACE);
  const loci = box("loci", uint32(0), [0x15, 0xc7], "casa", [0], PLACE);
  const apple = quicktimeMeta({
    "com.apple.quicktime.make": "Maquina",
    "com.apple.quicktime.location.ISO6709": PLACE,
    "com.apple.quicktime.software": "19.1",
  });
  const xmpId = [
    0xbe, 0x7a, 0xcf, 0xcb, 0x97, 0xa9, 0x42, 0xe8, 0x9c, 0x71, 0x99, 0x94, 0x91, 0xe3, 0xaf, 0xac,
  ];
  const xmp = box("uuid", xmpId, `<x:xmpmeta exif:GPSLatitude="${PLACE}"/>`);

  test.each([
    ["QuickTime's atom", mp4({ userData: [iso6709] })],
    ["3GPP's atom", mp4({ userData: [loci], indexLast: true })],
    ["an atom of the track", mp4({ trackUserData: [iso6709] })],
    ["Apple's keys", mp4({ inMoov: [apple] })],
    [
      "iTunes' list",
      mp4({
        userData: [
          box(
            "meta",
            uint32(0),
            box("hdlr", uint32(0, 0), "mdir", new Uint8Array(13)),
            box("ilst", box("\u00a9xyz", box("data", uint32(1, 0), PLACE))),
          ),
        ],
      }),
    ],
    ["XMP", mp4({ atTheEnd: [xmp] })],
    ["an M4A", m4a({ userData: [iso6709, loci] })],
    ["a WEBM's tags", webm({ tags: webmTags({ TITLE: "Feira", LOCATION: PLACE }) })],
    [
      "a WEBM's tags behind its samples, named by its index",
      webm({
        tags: webmTags({ "COM.APPLE.QUICKTIME.LOCATION.ISO6709": PLACE }),
        tagsLast: "sought",
        blockBytes: 300_000,
      }),
    ],
    [
      "a WEBM's tags behind its samples, named by nothing",
      webm({
        tags: webmTags({ RECORDING_LOCATION: PLACE, GPS_ALTITUDE: PLACE }),
        tagsLast: "unsaid",
      }),
    ],
    [
      "the tags of a recorder's WEBM",
      webm({ live: true, tags: webmTags({ GPS_LATITUDE: PLACE }) }),
    ],
  ])("%s is blanked in place", (_name, bytes) => {
    expect(asText(bytes)).toContain(PLACE);
    const clean = cleaned(bytes);
    expect(clean.byteLength).toBe(bytes.byteLength);
    expect(asText(clean)).not.toContain(PLACE);
    expect(verdictOf(clean)).toMatchObject({ ok: true, patches: [] });
  });

  test("other metadata stays, and so do the samples", () => {
    const payload = Uint8Array.from({ length: 500 }, (_, index) => index % 251);
    const clean = cleaned(
      mp4({ inMoov: [apple], userData: [box("\u00a9nam", [0, 5, 0, 0], "Feira")], payload }),
    );
    for (const retained of ["Maquina", "19.1", "Feira", asText(payload)])
      expect(asText(clean)).toContain(retained);
  });

  test("a WEBM keeps its other tags, and its samples keep their offsets", () => {
    const bytes = webm({
      tags: webmTags({ TITLE: "Feira", LOCATION: PLACE }),
      tagsLast: "sought",
      blockBytes: 500,
    });
    const clean = cleaned(bytes);
    expect(asText(clean)).toContain("Feira");
    const end = asText(bytes).indexOf("Feira");
    expect(clean.slice(0, end - 60)).toEqual(bytes.slice(0, end - 60));
  });

  test.each([
    ["a camera, as a track of data in a WEBM,", webm({ trackType: 33 })],
    ["GoPro", mp4({ format: "gpmd" })],
    ["a phone's motion track", mp4({ format: "camm" })],
    [
      "Apple's timed places",
      mp4({
        inMoov: [
          box(
            "trak",
            box(
              "mdia",
              box(
                "minf",
                box(
                  "stbl",
                  box(
                    "stsd",
                    uint32(0, 1),
                    box("mebx", new Uint8Array(8), "com.apple.quicktime.location.ISO6709"),
                  ),
                ),
              ),
            ),
          ),
        ],
      }),
    ],
  ])(
    "a location track that %s recorded beside the picture makes the file refused",
    (_name, bytes) => {
      expect(whyNot(bytes)).toBe("tracked");
    },
  );
});

describe("reading a file", () => {
  test("a large file is inspected by a small part of it, wherever its index is", () => {
    const payload = new Uint8Array(20 * 1024 * 1024);
    for (const indexLast of [false, true])
      expect(judged(mp4({ payload, indexLast })).bytesRead).toBeLessThan(400_000);
  });

  test("any bytes get a verdict, and a refusal has a message", () => {
    const base = fc.constantFrom(
      mp4({ userData: [box("\u00a9xyz", PLACE)] }),
      m4a(),
      webm(),
      webm({ live: true }),
      webm({ tags: webmTags({ LOCATION: PLACE }) }),
      mp3({ tagBytes: 200 }),
      ogg(),
      pdf(),
      new Uint8Array(64),
    );
    fc.assert(
      fc.property(
        base,
        fc.array(fc.tuple(fc.nat({ max: 400 }), fc.nat({ max: 255 })), { maxLength: 12 }),
        fc.nat({ max: 600 }),
        (file, damage, length) => {
          const bytes = Uint8Array.from(file.slice(0, Math.max(1, length)));
          for (const [at, value] of damage) if (at < bytes.byteLength) bytes[at] = value;
          const verdict = verdictOf(bytes);
          if (!verdict.ok) expect(FILE_PROBLEM_MESSAGES[verdict.why]).toMatch(/\.$/);
        },
      ),
      { numRuns: 3_000 },
    );
  });
});

test.each([
  ["foto.PNG", "", "image"],
  ["video.mp4", "video/mp4", "video"],
  ["som.m4a", "audio/x-m4a", "audio"],
  ["partitura.pdf", "application/pdf", "document"],
  ["desenho.svg", "image/svg+xml", null],
  ["clipe.mov", "video/quicktime", null],
  ["foto.heic", "image/heic", null],
  ["pagina.html", "text/html", null],
  ["sem-nome", "", null],
  ["programa.exe", "application/x-msdownload", null],
])("%s (%s) is declared as %s", (filename, contentType, kind) => {
  expect(declaredKind({ filename, contentType })).toBe(kind);
});

test("each kind has its size limit, to the byte", () => {
  expect(LARGEST_BYTES).toEqual({
    image: 25 * 2 ** 20,
    video: 2 * 2 ** 30,
    audio: 500 * 2 ** 20,
    document: 100 * 2 ** 20,
  });
  expect([isTooHeavy("video", 2 ** 31), isTooHeavy("video", 2 ** 31 + 1)]).toEqual([false, true]);
});

test("an AVIF from a form is inspected as any image", async () => {
  const bytes = await sharp({
    create: { width: 30, height: 20, channels: 3, background: "#1F3F8F" },
  })
    .avif()
    .toBuffer();
  expect(imageHeader(bytes)).toEqual({ contentType: "image/avif", width: 30, height: 20 });
  expect(inspectImage(bytes)).toMatchObject({ ok: true });
});

test.each([
  [1, 1, [1]],
  [8, 1, [8]],
  [9, 2, [8, 1]],
  [16, 2, [8, 8]],
  [17, 3, [8, 8, 1]],
])("a file of %i in parts of 8 has %i", (sizeBytes, count, lengths) => {
  const file = { sizeBytes, partSizeBytes: 8 };
  expect(partCount(file)).toBe(count);
  expect(lengths.map((_, index) => partLength(file, index + 1))).toEqual(lengths);
  expect([
    partLength(file, 0),
    partLength(file, count + 1),
    partLength(file, 1.5),
    partLength(file, Number.NaN),
  ]).toEqual([null, null, null, null]);
  expect(missingParts({ ...file, parts: [1] })).toEqual(
    Array.from({ length: count - 1 }, (_, index) => index + 2),
  );
});
