import { encode } from "uqr";
import { expect, test } from "vitest";
import { decodePixels } from "#app/components/events/door/qr-pixels.ts";

const MODULE_PIXELS = 6;

/** Draws a code as a camera gives it: RGBA. */
function drawn(code: string) {
  const { data, size } = encode(code);
  const side = size * MODULE_PIXELS;
  const pixels = new Uint8ClampedArray(side * side * 4).fill(255);
  for (let y = 0; y < side; y += 1)
    for (let x = 0; x < side; x += 1)
      if (data[Math.floor(y / MODULE_PIXELS)]?.[Math.floor(x / MODULE_PIXELS)])
        pixels.fill(0, (y * side + x) * 4, (y * side + x) * 4 + 3);
  return { data: pixels, width: side, height: side };
}

test("the decoder reads the code that a ticket shows", () => {
  expect(decodePixels(drawn("K3M94TQZ8W2P"))).toBe("K3M94TQZ8W2P");
});

test("a picture without a code gives none", () => {
  const data = new Uint8ClampedArray(100 * 100 * 4).fill(200);
  expect(decodePixels({ data, width: 100, height: 100 })).toBe("");
  expect(decodePixels(null)).toBe("");
});
