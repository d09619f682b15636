import { describe, expect, test } from "vitest";
import { methodsForPrice, priceProblem } from "#app/domain/plans/rules.ts";
import { planSchema } from "#app/domain/plans/schema.ts";
import {
  chosenSuggestion,
  parseKindOfWork,
  kindsOfWork,
  planSuggestions,
  welcomeMessageDraft,
} from "#app/domain/plans/suggestions/rules/suggestions.ts";
import type { KindOfWork } from "#app/domain/plans/suggestions/rules/table.ts";
import { typedReais } from "#app/domain/money.ts";
import { creatorCategories } from "#app/domain/profiles/rules/categories.ts";

/** The suggestions for a creator without plans. */
const firstSuggestions = (kind: KindOfWork) => planSuggestions(kind, { creatorPlanNames: [] });

const every = kindsOfWork.flatMap(({ kind }) =>
  firstSuggestions(kind).map((plan) => ({ kind, plan })),
);

describe("the suggestions of plans", () => {
  test("are two or three for every category and for other work, the cheapest first", () => {
    expect(kindsOfWork.map(({ kind }) => kind)).toEqual([...creatorCategories, "other"]);
    for (const { kind } of kindsOfWork) {
      const prices = firstSuggestions(kind).map(({ amountCents }) => amountCents);
      expect([2, 3], kind).toContain(prices.length);
      expect(prices, kind).toEqual(prices.toSorted((one, other) => one - other));
    }
  });

  test.each(every)(
    "$plan.name for $kind has a price that is sold by Pix and by card",
    ({ plan }) => {
      expect(priceProblem(plan.amountCents)).toBeNull();
      expect(methodsForPrice(plan.amountCents)).toEqual(expect.arrayContaining(["pix", "card"]));
    },
  );

  test.each(every)("$plan.name for $kind passes the form of a plan unchanged", ({ plan }) => {
    const { name, description, benefits, amountCents } = plan;
    expect(
      planSchema.parse({
        name,
        description,
        benefits: benefits.join("\n"),
        price: typedReais(amountCents),
        interval: "monthly",
      }),
    ).toMatchObject({
      name,
      description,
      benefits,
      prices: [{ interval: "monthly", amountCents }],
    });
  });

  test("never repeat a name or a benefit within a kind of work", () => {
    for (const { kind } of kindsOfWork) {
      const names = firstSuggestions(kind).map(({ name }) => name);
      const plans = planSuggestions(kind, { creatorPlanNames: names });
      const texts = [
        ...plans.map(({ name }) => name),
        ...plans.flatMap(({ benefits }) => benefits),
      ];
      expect(new Set(texts).size, kind).toBe(texts.length);
    }
  });

  test.each(every)("$plan.name for $kind names no plan that is not there", ({ kind, plan }) => {
    for (const benefit of plan.benefits) expect(benefit).not.toMatch(/^Tudo d/);
    const cheaper = firstSuggestions(kind).filter((one) => one.amountCents < plan.amountCents);
    expect(plan.benefits).toEqual(
      expect.arrayContaining(cheaper.flatMap(({ benefits }) => benefits)),
    );
  });

  test.each([
    [[], ["Músicas novas antes de todo mundo", "Letras", "Gravações de ensaio"]],
    [["Plateia"], ["Tudo da Plateia", "Gravações de ensaio"]],
    [["Camarim"], ["Tudo do Camarim"]],
    [["Plateia", "Camarim"], ["Tudo do Camarim"]],
  ])("beside the plans %j the highest one starts with %j", (creatorPlanNames, benefits) => {
    const highest = planSuggestions("music", { creatorPlanNames }).at(-1);
    expect(highest?.benefits.slice(0, benefits.length)).toEqual(benefits);
    expect(highest?.benefits.at(-1)).toBe("Um encontro on-line por mês");
  });

  test.each([
    ["1", "Plateia"],
    ["3", "Banda de apoio"],
    ["0", undefined],
    ["4", undefined],
    ["1.0", undefined],
    ["", undefined],
    [null, undefined],
  ])("the choice %j is %j", (text, name) => {
    expect(chosenSuggestion(firstSuggestions("music"), text)?.name).toBe(name);
  });

  test.each([
    ["music", "music"],
    ["other", "other"],
    ["", null],
    ["toString", null],
    [null, null],
  ])("the kind of work %j is %j", (text, kind) => {
    expect(parseKindOfWork(text)).toBe(kind);
  });
});

describe("the draft of a welcome message", () => {
  test("has the creator's name and what they make", () => {
    const draft = welcomeMessageDraft({ creatorName: "Rosa do Coco", kind: "food" });
    expect(draft).toContain("Sou Rosa do Coco");
    expect(draft).toContain("a próxima receita é testada");
  });

  test("differs for every kind of work, and fits into the field with the longest name", () => {
    const drafts = kindsOfWork.map(({ kind }) =>
      welcomeMessageDraft({ creatorName: "R".repeat(255), kind }),
    );
    expect(new Set(drafts).size).toBe(kindsOfWork.length);
    for (const draft of drafts) expect(draft.length).toBeLessThanOrEqual(1_000);
    expect(welcomeMessageDraft({ creatorName: "Rosa", kind: null })).toBe(
      welcomeMessageDraft({ creatorName: "Rosa", kind: "other" }),
    );
  });
});
