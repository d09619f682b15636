import { describe, expect, test } from "vitest";
import { imageHeader, inspectImage, variantsOf } from "#app/domain/media/rules.ts";
import { LARGEST_IMAGE_BYTES } from "#app/domain/media/rules/limits.ts";

const bytes = (...parts: (string | number[])[]) =>
  new Uint8Array(
    parts.flatMap((part) =>
      typeof part === "string" ? [...part].map((character) => character.charCodeAt(0)) : part,
    ),
  );
const uint32 = (value: number) => [
  (value >>> 24) & 255,
  (value >>> 16) & 255,
  (value >>> 8) & 255,
  value & 255,
];
const png = (width: number, height: number) =>
  bytes([0x89], "PNG\r\n", [0x1a, 0x0a], uint32(13), "IHDR", uint32(width), uint32(height));
const jpeg = (...before: number[]) =>
  bytes([0xff, 0xd8], before, [0xff, 0xc0, 0, 17, 8, 1, 0x2c, 2, 0x58, 3, 1, 0x11, 0]);
const webp = (kind: string, body: number[]) =>
  bytes("RIFF", [0, 0, 0, 0], "WEBP", kind, [0, 0, 0, 0], body);

describe("the type is detected from the bytes", () => {
  test.each([
    ["PNG", png(600, 300), { contentType: "image/png", width: 600, height: 300 }],
    [
      "GIF",
      bytes("GIF89a", [0x58, 0x02, 0x2c, 0x01]),
      { contentType: "image/gif", width: 600, height: 300 },
    ],
    ["JPG", jpeg(), { contentType: "image/jpeg", width: 600, height: 300 }],
    [
      "JPG after its metadata",
      jpeg(0xff, 0xe1, 0, 4, 9, 9),
      { contentType: "image/jpeg", width: 600, height: 300 },
    ],
    [
      "WEBP, extended",
      webp("VP8X", [0, 0, 0, 0, 0x57, 0x02, 0, 0x2b, 0x01, 0]),
      { contentType: "image/webp", width: 600, height: 300 },
    ],
    [
      "WEBP, lossy",
      webp("VP8 ", [0, 0, 0, 0x9d, 0x01, 0x2a, 0x58, 0x02, 0x2c, 0x01]),
      { contentType: "image/webp", width: 600, height: 300 },
    ],
    [
      "WEBP, lossless",
      webp("VP8L", [0x2f, 0x57, 0xc2, 0x4a, 0, 0, 0, 0, 0, 0]),
      { contentType: "image/webp", width: 600, height: 300 },
    ],
  ])("%s", (_name, image, header) => {
    expect(imageHeader(image)).toEqual(header);
  });

  test.each([
    ["SVG", bytes("<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'/>")],
    ["HTML", bytes("<!doctype html><script>alert(1)</script>")],
    ["a script named .png", bytes("#!/bin/sh\nrm -rf /\n, a long enough text")],
    ["PDF", bytes("%PDF-1.7 and something more of it")],
    ["half a PNG", png(600, 300).slice(0, 20)],
    ["a PNG of nothing", png(0, 300)],
    ["a JPG that ends before its size", bytes([0xff, 0xd8, 0xff, 0xda, 0, 2, 0, 0, 0, 0, 0, 0, 0])],
    ["nothing", new Uint8Array()],
  ])("%s is not an image", (_name, file) => {
    expect(inspectImage(file)).toEqual({ ok: false, why: "not_an_image" });
  });
});

describe("the maximum size of an image", () => {
  test.each([
    [12_000, 4_000, true],
    [12_001, 10, false],
    [8_000, 6_250, true],
    [8_000, 6_251, false],
  ])("%i by %i", (width, height, ok) => {
    expect(inspectImage(png(width, height)).ok).toBe(ok);
  });

  test("is exactly 10 MB", () => {
    const heavy = (size: number) => {
      const file = new Uint8Array(size);
      file.set(png(10, 10));
      return inspectImage(file).ok;
    };
    expect([heavy(LARGEST_IMAGE_BYTES), heavy(LARGEST_IMAGE_BYTES + 1)]).toEqual([true, false]);
  });
});

test("only a post has a thumbnail, at most 24 pixels wide", () => {
  expect(variantsOf("post").find(({ variant }) => variant === "face")?.maxWidthPixels).toBe(24);
  expect(variantsOf("avatar").some(({ variant }) => variant === "face")).toBe(false);
});
