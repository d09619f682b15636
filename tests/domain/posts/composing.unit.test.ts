import { describe, expect, test } from "vitest";
import { applyMarkTo } from "#app/components/composer/markdown-marks.ts";
import {
  choiceOfRules,
  civilMoment,
  otherVersionTitle,
  canOverwrite,
  rulesOfChoice,
  scheduleProblem,
} from "#app/domain/posts/rules/composing.ts";
import { draftSchema, publicationSchema } from "#app/domain/posts/schema/composing.ts";
import { DAY_MS, MINUTE_MS } from "#app/domain/time.ts";

const draft = { postId: "p1", tab: "t1", title: "Título", content: "Texto" };
const errorsOf = (form: Record<string, unknown>) =>
  publicationSchema
    .safeParse({ ...draft, ...form })
    .error?.issues.map((issue) => [issue.path[0], issue.message]) ?? [];

describe("the audience of a post", () => {
  test("combines any ways of access, each optionally later, and is read back as it was chosen", () => {
    const form = draftSchema.parse({
      ...draft,
      ways: ["plans", "public", "followers"],
      planIds: ["a", "b"],
      publicOpensAt: "2026-11-27T17:00",
      followersOpensAt: "",
    });
    const rules = rulesOfChoice(form);
    expect(rules).toEqual([
      { kind: "public", planId: null, amountCents: null, opensAt: Date.UTC(2026, 10, 27, 20) },
      { kind: "followers", planId: null, amountCents: null, opensAt: null },
      { kind: "plan", planId: "a", amountCents: null, opensAt: null },
      { kind: "plan", planId: "b", amountCents: null, opensAt: null },
    ]);
    expect(choiceOfRules(rules)).toMatchObject({
      ways: ["public", "followers", "plans"],
      planIds: ["a", "b"],
      publicOpensAt: Date.UTC(2026, 10, 27, 20),
    });
  });

  test.each([
    [{ ways: [] }, "ways"],
    [{ ways: "plans" }, "planIds"],
    [{ ways: "price" }, "price"],
    [{ ways: ["public", "plans"], planIds: "a" }, "ways"],
    [{ ways: "public", title: "  " }, "title"],
    [{ ways: "public", content: " \n\u200b".replace("\u200b", " ") }, "content"],
    [{ ways: "public", content: "x".repeat(20_001) }, "content"],
    [{ ways: "public", publishAt: "amanhã" }, "publishAt"],
    [{ ways: "public", publishAt: "2026-02-30T10:00" }, "publishAt"],
    [{ ways: "public", followersOpensAt: "2026-13-01T10:00" }, "followersOpensAt"],
  ])("%j is refused at %s", (form, field) => {
    expect(errorsOf(form).map(([name]) => name)).toContain(field);
  });

  test("public with a later date can be combined with other ways", () => {
    expect(
      errorsOf({ ways: ["public", "subscribers"], publicOpensAt: "2026-11-27T17:00" }),
    ).toEqual([]);
  });

  test("a draft accepts any input that can be saved", () => {
    expect(draftSchema.safeParse({ postId: "p1", tab: "t1" }).success).toBe(true);
  });
});

describe("a schedule in São Paulo time", () => {
  const now = Date.UTC(2026, 10, 21, 12);
  test("can be the current minute, not the past, and at most a year ahead", () => {
    expect([
      scheduleProblem(now - MINUTE_MS, now),
      scheduleProblem(now - MINUTE_MS - 1, now),
      scheduleProblem(now + 366 * DAY_MS, now),
      scheduleProblem(now + 366 * DAY_MS + 1, now),
    ]).toEqual([null, "past", null, "far"]);
  });

  test("is shown as it was typed", () => {
    expect(
      civilMoment(
        publicationSchema.parse({ ...draft, ways: "public", publishAt: "2026-11-27T17:05" })
          .publishAt,
      ),
    ).toBe("2026-11-27T17:05");
    expect(civilMoment(null)).toBe("");
  });
});

describe("a price", () => {
  test.each([
    [{ ways: ["price", "followers"], price: "15,00" }, "price", /Seguir é de graça/],
    [{ ways: ["price", "public"], price: "15,00" }, "ways", /já abre para os outros/],
    [{ ways: ["price"], price: "" }, "price", /Informe o preço/],
  ])("that is invalid (%j) shows an error", (form, field, message) => {
    expect(errorsOf(form)).toContainEqual([field, expect.stringMatching(message)]);
  });

  test.each([
    [{ ways: ["price", "followers"], price: "15,00", followersOpensAt: "2027-01-31T10:00" }],
    [{ ways: ["price", "subscribers"], price: "15,00" }],
    [{ ways: ["price"], price: "5,00", priceOpensAt: "2027-01-31T10:00" }],
  ])("together with %j is accepted", (form) => {
    expect(errorsOf(form)).toEqual([]);
  });

  test("of a draft is not validated, and is read back as it was typed", () => {
    const rules = rulesOfChoice(draftSchema.parse({ ...draft, ways: "price", price: "1" }));
    expect(rules).toEqual([{ kind: "price", planId: null, amountCents: null, opensAt: null }]);
    expect(choiceOfRules(rules)).toMatchObject({ ways: ["price"], price: null });
  });
});

test("a save may overwrite the version that was read, or the tab's own last save", () => {
  const saved = { version: 3, savedByTab: "a" };
  expect([
    canOverwrite(saved, { version: 3, tab: "b" }),
    canOverwrite(saved, { version: 2, tab: "a" }),
    canOverwrite(saved, { version: 2, tab: "b" }),
  ]).toEqual([true, true, false]);
});

describe("the toolbar", () => {
  const selecting = (text: string, selected: string) => ({
    text,
    from: text.indexOf(selected),
    to: text.indexOf(selected) + selected.length,
  });
  const result = (text: string, selected: string, mark: Parameters<typeof applyMarkTo>[1]) => {
    const done = applyMarkTo(selecting(text, selected), mark);
    return text.slice(0, done.from) + done.text + text.slice(done.to);
  };
  test.each([
    ["uma palavra só", "palavra", "strong", "uma **palavra** só"],
    ["uma **palavra** só", "palavra", "strong", "uma palavra só"],
    ["uma palavra", "palavra", "link", "uma [palavra](https://)"],
    ["um\ndois\ntrês", "um\ndois", "list", "- um\n- dois\ntrês"],
    ["- um\n- dois", "um\n- dois", "list", "um\ndois"],
    ["- um\n- dois", "um\n- dois", "numbers", "1. um\n2. dois"],
    ["título", "título", "heading", "## título"],
    ["dito", "dito", "quote", "> dito"],
  ] as const)("%j with %j marked as %s", (text, selected, mark, expected) => {
    expect(result(text, selected, mark)).toBe(expected);
  });

  test("with no selection inserts a placeholder word and selects it", () => {
    expect(applyMarkTo({ text: "", from: 0, to: 0 }, "strong")).toEqual({
      from: 0,
      to: 0,
      text: "**texto**",
      select: { from: 2, to: 7 },
    });
  });
});

test.each([
  ["", "Sem título (outra versão)"],
  ["Ensaio", "Ensaio (outra versão)"],
  ["Ensaio (outra versão)", "Ensaio (outra versão)"],
  ["x".repeat(140), `${"x".repeat(125)} (outra versão)`],
])("the version that was not chosen of %j is %j", (title, expected) => {
  expect(otherVersionTitle(title)).toBe(expected);
});
