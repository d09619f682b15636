import { expect, test } from "vitest";
import { drawPost } from "#drizzle/seed/pictures/album.ts";
import { hands } from "#drizzle/seed/pictures/hands.ts";
import type { Hand } from "#drizzle/seed/pictures/pen.ts";
import { preparedMediaStore } from "#drizzle/seed/pictures/render.ts";
import { randomFrom } from "#drizzle/seed/random.ts";
import { creators } from "#drizzle/seed/town/creators.ts";

const drawn = creators.flatMap(({ username, posts }) =>
  posts.flatMap(({ scene }, index) =>
    scene ? [{ username, index, ...drawPost(username, index, scene) }] : [],
  ),
);

test("a picture is the same every time it is drawn", () => {
  for (const { username, index, svg } of drawn) {
    const scene =
      creators.find((creator) => creator.username === username)?.posts[index]?.scene ?? "";
    expect(drawPost(username, index, scene).svg).toBe(svg);
  }
});

test("no two pictures of the seeded world are alike", () => {
  expect(new Set(drawn.map(({ svg }) => svg)).size).toBe(drawn.length);
});

test("each picture has an alternative text", () => {
  for (const { alt } of drawn) {
    expect(alt.length).toBeGreaterThan(30);
    expect(alt).toMatch(/^\p{Lu}.*\.$/u);
    expect(alt).not.toContain("undefined");
  }
});

test("no drawing has a gradient, a blur, or an invalid number", () => {
  for (const hand of Object.values<Hand>(hands)) {
    for (const [scene, draw] of Object.entries(hand)) {
      for (let turn = 0; turn < 8; turn += 1) {
        const { svg } = draw(randomFrom(`${scene} ${turn}`));
        expect(svg).not.toMatch(/gradient|filter|blur|NaN|undefined|Infinity/i);
      }
    }
  }
});

test("every illustrated scene is used by a post", () => {
  for (const { username, posts } of creators) {
    const used = new Set(posts.map(({ scene }) => scene));
    const known = Object.entries(hands).find(([name]) => name === username)?.[1] ?? {};
    expect(Object.keys(known).filter((scene) => !used.has(scene))).toEqual([]);
  }
});

test("a picture that cannot be stored fails when all are awaited, without an unhandled rejection before", async () => {
  const refused = new Error("fetch failed");
  const unheard: unknown[] = [];
  const hear = (reason: unknown) => void unheard.push(reason);
  process.prependListener("unhandledRejection", hear);
  try {
    const { store, settled } = preparedMediaStore({
      put: async () => Promise.reject(refused),
    } as unknown as R2Bucket);
    await store.put("a", new Uint8Array(), "image/png");
    // Node reports an unhandled rejection once the promises of the turn are done.
    await new Promise((resolve) => setImmediate(resolve));
    expect(unheard).toEqual([]);
    await expect(settled()).rejects.toBe(refused);
  } finally {
    process.removeListener("unhandledRejection", hear);
  }
});
