import { describe, expect, test } from "vitest";
import {
  postsCountLabel,
  parseImportFilter,
  pathInCollection,
  matchesSearch,
  moveInOrder,
  readingProgress,
  publicCollectionPath,
} from "#app/domain/collections/rules.ts";
import {
  collectionSchema,
  importSchema,
  moveSchema,
  readingSchema,
} from "#app/domain/collections/schema.ts";
import { instantOf } from "#app/domain/time.ts";

const outline = (...readAts: (number | null)[]) =>
  readAts.map((readAt, index) => ({ postId: `p${index + 1}`, title: `T${index + 1}`, readAt }));

describe("the progress of a reader", () => {
  test.each([
    [
      "nothing inside",
      outline(),
      { total: 0, read: 0, percent: 0, isStarted: false, continueId: null },
    ],
    [
      "nothing read starts at the first post",
      outline(null, null),
      { total: 2, read: 0, percent: 0, isStarted: false, continueId: "p1" },
    ],
    [
      "continues after the last read post",
      outline(5, null, null),
      { total: 3, read: 1, percent: 33, isStarted: true, continueId: "p2" },
    ],
    [
      "continues after the post read latest, not the furthest",
      outline(9, null, 5, null),
      { total: 4, read: 2, percent: 50, isStarted: true, continueId: "p2" },
    ],
    [
      "after the last post returns to the first unread one",
      outline(null, 3, 4),
      { total: 3, read: 2, percent: 66, isStarted: true, continueId: "p1" },
    ],
    [
      "of two read at once continues after the further",
      outline(5, 5, null),
      { total: 3, read: 2, percent: 66, isStarted: true, continueId: "p3" },
    ],
    [
      "nothing is next when all is read",
      outline(1, 2),
      { total: 2, read: 2, percent: 100, isStarted: true, continueId: null },
    ],
    [
      "never shows 100% before all is read",
      outline(...Array.from({ length: 499 }, () => 1), null),
      { total: 500, read: 499, percent: 99, isStarted: true, continueId: "p500" },
    ],
  ])("%s", (_, entries, expected) => {
    expect(readingProgress(entries)).toEqual(expected);
  });
});

describe("moving a post", () => {
  test.each([
    ["up", { postId: "c", side: "before", anchorId: "b" }, ["a", "c", "b", "d"]],
    ["down", { postId: "b", side: "after", anchorId: "c" }, ["a", "c", "b", "d"]],
    ["to the front", { postId: "d", side: "before", anchorId: "a" }, ["d", "a", "b", "c"]],
    ["to the end", { postId: "a", side: "after", anchorId: "d" }, ["b", "c", "d", "a"]],
    [
      "beside itself stays in place",
      { postId: "a", side: "after", anchorId: "a" },
      ["a", "b", "c", "d"],
    ],
    [
      "beside a removed post stays in place",
      { postId: "a", side: "after", anchorId: "x" },
      ["a", "b", "c", "d"],
    ],
    [
      "of a removed post changes nothing",
      { postId: "x", side: "after", anchorId: "a" },
      ["a", "b", "c", "d"],
    ],
  ] as const)("%s", (_, move, expected) => {
    expect(moveInOrder(["a", "b", "c", "d"], move)).toEqual(expected);
  });

  test("is parsed from the value of one button, and anything else is refused", () => {
    expect(moveSchema.parse({ move: "01-a:before:02-b" })).toEqual({
      move: { postId: "01-a", side: "before", anchorId: "02-b" },
    });
    for (const move of ["", "a:beside:b", "a:before", "a:before:b:c", "<a>:before:b"])
      expect(moveSchema.safeParse({ move }).success).toBe(false);
  });
});

test("search ignores accents, capitals and word order", () => {
  expect(matchesSearch("Música de Câmara", "camara musica")).toBe(true);
  expect(matchesSearch("Música", "músicas")).toBe(false);
});

test("an invalid filter value is ignored", () => {
  const read = (text: string) => parseImportFilter(new URLSearchParams(text));
  expect(read("q=%20valsa%20&kind=video&state=unpublished&from=2026-11-01&to=2026-11-27")).toEqual({
    search: "valsa",
    kind: "video",
    state: "unpublished",
    from: instantOf({ year: 2026, month: 11, day: 1 }),
    until: instantOf({ year: 2026, month: 11, day: 28 }),
  });
  expect(read("kind=virus&state=x&from=2026-02-31&to=ontem")).toEqual({
    search: "",
    kind: null,
    state: "published",
    from: null,
    until: null,
  });
});

test("a price is blank or between R$ 5,00 and R$ 5.000,00", () => {
  const priceOf = (price: string | undefined) =>
    collectionSchema.safeParse({ title: "T", ...(price === undefined ? {} : { price }) }).data
      ?.price;
  expect([
    priceOf(undefined),
    priceOf(""),
    priceOf("  "),
    priceOf("5,00"),
    priceOf("5000"),
  ]).toEqual([null, null, null, 500, 500_000]);
  expect([priceOf("4,99"), priceOf("5000,01"), priceOf("caro")]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

test("forms show errors in Portuguese", () => {
  const said = (answer: { error?: { issues: { message: string }[] } | undefined }) =>
    answer.error?.issues[0]?.message;
  expect(said(collectionSchema.safeParse({ title: "  " }))).toBe("Campo obrigatório");
  expect(said(collectionSchema.safeParse({ title: "x".repeat(101) }))).toBe(
    "Use até 100 caracteres.",
  );
  expect(said(collectionSchema.safeParse({ title: "T", description: "x".repeat(2_001) }))).toBe(
    "Use até 2.000 caracteres.",
  );
  expect(said(importSchema.safeParse({}))).toBe("Escolha pelo menos uma publicação.");
  expect(
    said(
      importSchema.safeParse({ postIds: Array.from({ length: 101 }, (_, index) => `p${index}`) }),
    ),
  ).toBe("Escolha até 100 de cada vez.");
  expect(importSchema.parse({ postIds: "a" })).toEqual({ postIds: ["a"] });
  expect(readingSchema.safeParse({ postId: "a", isRead: "talvez" }).success).toBe(false);
});

test("paths and counts", () => {
  expect(publicCollectionPath("ana", "c1")).toBe("/space/ana/public/collections/c1");
  expect(pathInCollection("/post/p1", "c1")).toBe("/post/p1?collection=c1");
  expect([postsCountLabel(0), postsCountLabel(1), postsCountLabel(2)]).toEqual([
    "0 publicações",
    "1 publicação",
    "2 publicações",
  ]);
});
