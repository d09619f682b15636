import { expect, test } from "vitest";
import { nextSpeed } from "#app/components/media/player-keys.ts";
import { isWorthKeeping } from "#app/components/media/player-position.ts";
import { formatSize, hasThumbnail, mediaSrcSet } from "#app/domain/media/rules.ts";

test.each([
  [4.9, 600, false],
  [5, 600, true],
  [595, 600, true],
  [595.1, 600, false],
  [30, Number.NaN, true],
  [Number.NaN, 600, false],
])("%d seconds of %d are a position worth saving: %s", (seconds, duration, isWorth) => {
  expect(isWorthKeeping(seconds, duration)).toBe(isWorth);
});

test.each([
  [1, 1, 1.25],
  [1, -1, 0.75],
  [2, 1, 2],
  [0.5, -1, 0.5],
  [1.1, 1, 1.25],
] as const)("the speed after %d in direction %d is %d", (speed, by, next) => {
  expect(nextSpeed(speed, [0.5, 0.75, 1, 1.25, 1.5, 2], by)).toBe(next);
});

test.each([
  [0, "0 bytes"],
  [999, "999 bytes"],
  [24_000, "24 KB"],
  [2_400_000, "2,4 MB"],
  [2_147_483_648, "2,1 GB"],
])("%i bytes are shown as %s", (bytes, text) => {
  expect(formatSize(bytes)).toBe(text);
});

test("an image's srcset holds only stored widths", () => {
  expect(mediaSrcSet({ id: "a", width: 1_280 })).toBe("/media/a/640 640w, /media/a/1280 1280w");
  expect(mediaSrcSet({ id: "a", width: 1_600 })).toContain("/media/a/1920 1600w");
});

test("images, and videos with a poster, have a thumbnail", () => {
  expect([
    hasThumbnail({ kind: "image", hasPoster: false }),
    hasThumbnail({ kind: "video", hasPoster: true }),
    hasThumbnail({ kind: "video", hasPoster: false }),
  ]).toEqual([true, true, false]);
});
