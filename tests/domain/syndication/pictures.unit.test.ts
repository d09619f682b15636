import { encode } from "uqr";
import { describe, expect, test } from "vitest";
import type { Access } from "#app/domain/access/rules.ts";
import {
  collectionPicture,
  collectionPicturePath,
  drawable,
  pictureVersion,
  postPicture,
  spacePicture,
  storyPicture,
  storyPicturePath,
} from "#app/domain/syndication/rules/pictures.ts";
import { cardSvg } from "#workers/pictures/card.ts";
import { wrapText } from "#workers/pictures/lines.ts";

const author = { id: "a", name: "Ana Lira", username: "ana", avatarMediaId: null };
const locked: Access = {
  visible: false,
  reasons: [{ kind: "subscribers" }],
  cheapestUnlock: null,
  otherUnlocks: [],
  awayUntil: null,
};

describe("the text that can be drawn", () => {
  test.each([
    ["Canção à beira-mar: “São João” — 2ª", "Canção à beira-mar: “São João” — 2ª"],
    ["Ensaio 🎻🔥 de domingo 👩‍🎤", "Ensaio de domingo"],
    ["Z̷̢a̵̡l̶g̸o", "Zalgo"],
    ["日本語", ""],
    ["um\n\n título  com espaços", "um título com espaços"],
    ["\uD800", ""],
  ])("%j is drawn as %j", (text, drawn) => {
    expect(drawable(text, 140)).toBe(drawn);
  });

  test("is truncated", () => {
    expect(drawable("a".repeat(200), 10)).toBe(`${"a".repeat(9)}…`);
  });

  test("is never empty", () => {
    expect(postPicture({ title: "🎻", author, access: { visible: true } }).title).toBe(
      "Publicação",
    );
  });
});

describe("the picture of a post", () => {
  test("shows only its title and author, and says when it is locked", () => {
    const picture = postPicture({ title: "Ensaio", author, access: locked });
    expect(picture).toEqual({
      kind: "post",
      title: "Ensaio",
      line: "Só para quem tem acesso",
      handle: "Ana Lira",
      seed: "Ensaio",
      avatarMediaId: null,
    });
    expect(postPicture({ title: "Ensaio", author, access: { visible: true } }).line).toBe("");
  });

  test("has a new address when any of its content changes, and the same address otherwise", () => {
    const one = postPicture({ title: "Ensaio", author, access: { visible: true } });
    expect(pictureVersion({ ...one })).toBe(pictureVersion(one));
    const others = [
      { ...one, title: "Ensaios" },
      { ...one, line: "x" },
      { ...one, avatarMediaId: "m" },
      { ...one, kind: "cover" as const },
    ];
    expect(new Set([one, ...others].map(pictureVersion)).size).toBe(5);
  });
});

test("the picture of a collection shows its title, size and owner, never its cover", () => {
  const picture = collectionPicture({
    collection: { id: "c", title: "Aprender rabeca 🎻", postsCount: 3 },
    creator: author,
  });
  expect(picture).toEqual({
    kind: "collection",
    title: "Aprender rabeca",
    line: "Coleção · 3 publicações",
    handle: "Ana Lira",
    seed: "Aprender rabeca 🎻",
    avatarMediaId: null,
  });
  expect(
    collectionPicturePath({
      collection: { id: "c", title: "Aprender rabeca 🎻", postsCount: 3 },
      creator: author,
    }),
  ).toBe(`/pictures/collection/c/${pictureVersion(picture)}.png`);
});

describe("the picture for stories", () => {
  const profile = {
    id: "a",
    username: "ana",
    name: "Ana Lira",
    bio: "",
    city: "Recife",
    craft: "Rabeca",
    category: "music",
    avatarMediaId: null,
    bannerMediaId: null,
    links: [],
    isCreator: true,
    followersCount: 0,
    subscribersCount: 0,
    postsCount: 0,
    createdAt: 0,
  };

  test("shows what the picture of the page shows, and its address", () => {
    expect(storyPicture(profile, "https://coreto.test/@ana")).toEqual({
      ...spacePicture(profile),
      kind: "story",
      address: "https://coreto.test/@ana",
    });
  });

  test("has another path for another address, because its code leads there", () => {
    expect(storyPicturePath(profile, "https://coreto.test/@ana")).not.toBe(
      storyPicturePath(profile, "https://coreto.app/@ana"),
    );
  });

  test("is 1080 by 1920, with the address as text and as a code on white", () => {
    const svg = cardSvg({
      picture: storyPicture(profile, "https://coreto.test/@ana"),
      avatar: null,
      textWidth: (text) => text.length * 20,
    });
    expect(svg).toMatch(/width="1080" height="1920"/);
    for (const text of ["Ana Lira", "@ana · Rabeca · Recife", "coreto.test/@ana"])
      expect(svg).toContain(`>${text}<`);
    const { size } = encode("https://coreto.test/@ana", { ecc: "M", border: 4 });
    expect(svg).toContain(`viewBox="0 0 ${size} ${size}"`);
  });
});

test("the picture for stories keeps its text and our name out of the 250 pixels that apps cover", () => {
  const svg = cardSvg({
    picture: {
      kind: "story",
      title: "Companhia de Teatro do Sertão do Cariri",
      line: "Teatro",
      handle: "@cia",
      seed: "cia",
      avatarMediaId: null,
      address: "https://coreto.test/@cia",
    },
    avatar: null,
    textWidth: (text, { size }) => text.length * size * 0.5,
  });
  const texts = [
    ...svg.matchAll(/<text x="[\d.]+" y="(?<y>[\d.]+)"[^>]*font-size="(?<size>[\d.]+)"[^>]*>/g),
  ].map(({ groups }) => ({ y: Number(groups?.["y"]), size: Number(groups?.["size"]) }));
  expect(texts.length).toBeGreaterThanOrEqual(6);
  for (const { y, size } of texts) {
    expect(y - size).toBeGreaterThanOrEqual(250);
    expect(y + size * 0.3).toBeLessThanOrEqual(1670);
  }
  const [, qrTop = 0, qrSide = 0] =
    svg.match(/<rect x="\d+" y="(\d+)" width="\d+" height="(\d+)" rx="32"/)?.map(Number) ?? [];
  const bottoms = texts.map(({ y, size }) => [y - size, y]);
  for (const [top = 0, bottom = 0] of bottoms)
    expect(bottom <= qrTop || top >= qrTop + qrSide, `${top} to ${bottom}`).toBe(true);
});

describe("lines", () => {
  const measure = (text: string) => text.length;

  test("break between words", () => {
    expect(wrapText("uma rabeca de fora", { width: 10, most: 3, measure })).toEqual([
      "uma rabeca",
      "de fora",
    ]);
  });

  test("are truncated with an ellipsis that fits", () => {
    const lines = wrapText("uma rabeca de fora da roda grande", { width: 10, most: 2, measure });
    expect(lines).toEqual(["uma rabeca", "de fora d…".trim()]);
    expect(lines.every((line) => line.length <= 10)).toBe(true);
  });

  test("break within a word that is wider than every line", () => {
    const lines = wrapText("a".repeat(50), { width: 10, most: 3, measure });
    expect(lines).toHaveLength(3);
    expect(lines.every((line) => line.length <= 10)).toBe(true);
    expect(lines[2]).toMatch(/…$/);
  });

  test("of an empty text are one empty line", () => {
    expect(wrapText("", { width: 10, most: 3, measure })).toEqual([""]);
  });
});
