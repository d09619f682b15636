import { describe, expect, test } from "vitest";
import {
  parseStatementFilter,
  statementPeriods,
  transactionStateOf,
  chargeStatusesOf,
} from "#app/domain/billing/statements/rules/statement.ts";
import { transactionStates } from "#app/domain/billing/schema.ts";
import { chargeStatuses } from "#app/domain/payments/rules.ts";
import { DAY_MS, isoOfDayNumber } from "#app/domain/time.ts";

test("the suggested statement periods are whole months and the year", () => {
  const named = statementPeriods(Date.UTC(2026, 0, 1, 2)).map(({ name, from, until }) => [
    name,
    from === null ? null : isoOfDayNumber(from),
    until === null ? null : isoOfDayNumber(until),
  ]);
  // At 02:00 UTC of 1 January it is still December in São Paulo.
  expect(named).toEqual([
    ["Desde sempre", null, null],
    ["Este mês", "2025-12-01", "2025-12-31"],
    ["Mês passado", "2025-11-01", "2025-11-30"],
    ["Este ano", "2025-01-01", "2025-12-31"],
  ]);
  expect(statementPeriods(Date.UTC(2026, 0, 15))[2]).toMatchObject({
    from: Date.UTC(2025, 11, 1) / DAY_MS,
    until: Date.UTC(2025, 11, 31) / DAY_MS,
  });
});

describe("the statement filter in the URL", () => {
  const asked = (search: string) => parseStatementFilter(new URLSearchParams(search));
  test("selects everything when empty or invalid", () => {
    const nothing = {
      from: null,
      until: null,
      state: null,
      method: null,
      kind: null,
      person: null,
      subscription: null,
      plan: null,
      link: null,
      item: null,
      refunds: null,
    };
    expect(asked("")).toMatchObject({ face: null, filter: nothing, errors: {} });
    expect(asked("face=both&state=rich&method=boleto&kind='--")).toMatchObject({
      face: null,
      filter: nothing,
      errors: {},
    });
  });
  test("parses each filter, with usernames in any notation", () => {
    expect(
      asked(
        "face=paid&state=returned&method=card&kind=post&person=@Ana.Lira&from=2026-01-01&until=02/01/2026",
      ).filter,
    ).toEqual({
      state: "returned",
      method: "card",
      kind: "post",
      person: "ana.lira",
      subscription: null,
      plan: null,
      link: null,
      item: null,
      refunds: null,
      from: Date.UTC(2026, 0, 1) / DAY_MS,
      until: Date.UTC(2026, 0, 2) / DAY_MS,
    });
  });
  test("parses a plan and a link only by what may be an id", () => {
    expect(asked("plan=0191f5c0a1b2&link=-").filter).toMatchObject({
      plan: "0191f5c0a1b2",
      link: "-",
    });
    expect(asked("plan=%27%20OR%201&link=a/b").filter).toMatchObject({ plan: null, link: null });
  });
  test("parses a subscription only by its id", () => {
    expect(asked("face=paid&subscription=0191f5c0a1b2").filter.subscription).toBe("0191f5c0a1b2");
    expect(asked("subscription=%27%20OR%201").filter.subscription).toBeNull();
  });
  test.each([
    ["from=amanhã", "from", "Escreva o dia assim: 20/12/2026."],
    ["until=31/02/2026", "until", "Escreva o dia assim: 20/12/2026."],
    ["from=2026-01-02&until=2026-01-01", "until", "O fim vem antes do começo. Troque um dos dias."],
    ["person=Ana Lira!", "person", "Escreva o nome de usuário, como @ana.lira."],
  ])("%s shows an error at %s and keeps what was typed", (search, field, message) => {
    const { errors, filter, values } = asked(search);
    expect(errors).toEqual({ [field]: message });
    expect(filter[field as "from"]).toBeNull();
    expect(values[field]).toBe(new URLSearchParams(search).get(field));
  });
  test("every charge status belongs to exactly one filter state", () => {
    expect(transactionStates.flatMap((state) => chargeStatusesOf(state)).toSorted()).toEqual(
      [...chargeStatuses].toSorted(),
    );
    for (const status of chargeStatuses)
      expect(chargeStatusesOf(transactionStateOf(status))).toContain(status);
  });
});
