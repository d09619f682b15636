import fc from "fast-check";
import { expect, test } from "vitest";
import {
  audienceCsvHead,
  audienceCsvRow,
} from "#app/domain/billing/statements/rules/audience-csv.ts";
import { intervals } from "#app/domain/plans/rules/intervals.ts";
import {
  parseAudienceFilter,
  audienceStates,
  isAudienceFiltered,
  monthlyValueCents,
} from "#app/domain/subscriptions/audience/rules.ts";
import type { SubscriptionStatus } from "#app/domain/subscriptions/schema.ts";
import { instantOf } from "#app/domain/time.ts";

const asked = (text: string) => parseAudienceFilter(new URLSearchParams(text));

test("parses the audience filter from the URL and ignores values that it does not know", () => {
  expect(asked("status=past_due&method=card&plan=0a-1&search=%40JOSÉ+da+Conceição").filter).toEqual(
    { status: "past_due", method: "card", planId: "0a-1", terms: ["jose", "da", "conceicao"] },
  );
  const nothing = asked("status=incomplete&method=gold&plan=a'b&search=%20");
  expect(nothing.filter).toEqual({ status: null, method: null, planId: null, terms: [] });
  expect(nothing.values).toEqual({ status: "", method: "", plan: "", search: "" });
  expect(isAudienceFiltered(nothing.filter)).toBe(false);
  expect(isAudienceFiltered(asked("search=z").filter)).toBe(true);
});

test("parses any URL without an error and keeps at most five search words", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (text) => {
      const { filter, values } = parseAudienceFilter(
        new URLSearchParams({ search: text, status: text, plan: text, method: text }),
      );
      expect(filter.terms.length).toBeLessThanOrEqual(5);
      expect(values.search.length).toBeLessThanOrEqual(60);
    }),
  );
});

test("only active subscriptions have a monthly value", () => {
  for (const status of audienceStates)
    for (const interval of intervals)
      expect(monthlyValueCents({ status, interval, amountCents: 12_000 }) > 0).toBe(
        status === "active",
      );
  expect(monthlyValueCents({ status: "active", interval: "annual", amountCents: 15_000 })).toBe(
    1_250,
  );
});

test("the CSV export opens in Brazilian spreadsheets, escapes formulas and hides amounts from viewers without permission", () => {
  const at = instantOf({ year: 2026, month: 3, day: 12 });
  const row = {
    id: "s1",
    name: '=HYPERLINK("x")',
    username: "jo",
    planName: "Camarim; tudo",
    intervalWord: "por mês",
    methodWord: "Pix",
    status: "active" as SubscriptionStatus,
    badge: "Ativa · renova em 12/04",
    startedAt: at,
    currentPeriodEndsAt: at,
    accessUntil: null,
    amountCents: 199_000,
    monthlyCents: 199_000,
    paidCents: 1_990,
  };
  expect(audienceCsvHead(true)).toBe(
    "Nome;Usuário;Plano;Cobrança;Forma;Situação;Desde;Período até;Acesso até;Preço;Por mês;Pago no total;Código\r\n",
  );
  expect(audienceCsvRow(row, true)).toBe(
    `"'=HYPERLINK(""x"")";jo;"Camarim; tudo";por mês;Pix;Ativa · renova em 12/04;12/03/2026;12/03/2026;;1990,00;1990,00;19,90;s1\r\n`,
  );
  expect(audienceCsvRow({ ...row, status: "upcoming", badge: "Começa em 12/03" }, true)).toContain(
    "Começa em 12/03;;",
  );
  expect(audienceCsvRow(row, false)).not.toContain("90,00");
  expect(audienceCsvRow(row, false).split(";").length).toBe(
    audienceCsvHead(false).split(";").length + 1,
  );
});
