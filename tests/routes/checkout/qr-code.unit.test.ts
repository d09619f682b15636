import { encode } from "uqr";
import { expect, test } from "vitest";
import { qrDrawing } from "#app/routes/checkout/qr-code.server.ts";

const CODE =
  "00020101021226760014br.gov.bcb.pix2554pix.coreto.test/qr/v2/308a8a0967d0c5c46da75cc22f21076f520400005303986540519.905802BR5917Coreto Pagamentos6006Recife62070503***6304ABCD";

/** Returns the modules that a path of `M<x> <y>h<width>v1…` rectangles paints. */
function painted(path: string, size: number): boolean[][] {
  const modules = Array.from({ length: size }, () => Array.from({ length: size }, () => false));
  for (const [, x, y, width] of path.matchAll(/M(\d+) (\d+)h(\d+)v1h-\d+z/g)) {
    for (let offset = 0; offset < Number(width); offset += 1) {
      const row = modules[Number(y)];
      if (row) row[Number(x) + offset] = true;
    }
  }
  return modules;
}

test("qrDrawing paints every module of the QR code, with a quiet zone of four modules", () => {
  const { path, size } = qrDrawing(CODE);
  const modules = painted(path, size);
  expect(modules).toEqual(encode(CODE, { ecc: "M", border: 4 }).data);
  for (let edge = 0; edge < 4; edge += 1) {
    expect(modules[edge]?.some(Boolean)).toBe(false);
    expect(modules[size - 1 - edge]?.some(Boolean)).toBe(false);
    expect(modules.some((row) => row[edge] || row[size - 1 - edge])).toBe(false);
  }
});
