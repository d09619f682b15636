import fc from "fast-check";
import { expect, test } from "vitest";
import {
  kindProblem,
  refundRuleText,
  remainingOfKind,
  ticketRefundUntil,
} from "#app/domain/events/rules/tickets.ts";
import { ticketKindSchema } from "#app/domain/events/schema.ts";
import { coolingOffEndsAt } from "#app/domain/payments/refunds/rules/cooling-off.ts";
import { DAY_MS, HOUR_MS } from "#app/domain/time.ts";

const NOW = Date.UTC(2026, 10, 11, 15);
const kind = {
  capacity: null as number | null,
  seatsTaken: 0,
  seatsHeld: 0,
  saleStartsAt: null as number | null,
  saleEndsAt: null as number | null,
};

test.each([
  ["without limits", {}, 5, null],
  ["with its last tickets", { capacity: 10, seatsTaken: 6, seatsHeld: 2 }, 2, null],
  ["with too few", { capacity: 10, seatsTaken: 6, seatsHeld: 3 }, 2, "kind_few"],
  ["before its sale", { saleStartsAt: NOW + 1 }, 1, "kind_soon"],
  ["from its sale on", { saleStartsAt: NOW }, 1, null],
  ["at the end of its sale", { saleEndsAt: NOW }, 1, "kind_over"],
])("a kind %s", (_, changed, quantity, expected) => {
  expect(kindProblem({ ...kind, ...changed }, quantity, NOW)).toBe(expected);
});

test("what is left of a kind is never below zero", () => {
  expect(remainingOfKind(kind)).toBeNull();
  expect(remainingOfKind({ capacity: 2, seatsTaken: 3, seatsHeld: 1 })).toBe(0);
});

const START = NOW + 30 * DAY_MS;
test.each([
  ["48 hours before", NOW, 48, null, START - 48 * HOUR_MS],
  ["the start", NOW, 0, null, START],
  ["only the law", NOW, null, null, coolingOffEndsAt(NOW)],
  ["a week before, bought within it", START - 3 * DAY_MS, 168, null, START],
  ["48 hours before, moved after the purchase", NOW, 48, NOW + DAY_MS, START],
  ["48 hours before, moved before the purchase", NOW, 48, NOW - DAY_MS, START - 48 * HOUR_MS],
])(
  "with the rule %s, a ticket is refunded until then",
  (_, boughtAt, refundHours, movedAt, until) => {
    expect(ticketRefundUntil({ boughtAt, refundHours, startsAt: START, movedAt })).toBe(until);
  },
);

test("a refund is never promised past the start, and never for less than the law says before it", () => {
  const orders = fc.record({
    boughtAt: fc.integer({ min: NOW, max: START }),
    refundHours: fc.option(fc.constantFrom(0, 24, 48, 168)),
    movedAt: fc.option(fc.integer({ min: NOW, max: START })),
  });
  fc.assert(
    fc.property(orders, (order) => {
      const until = ticketRefundUntil({ ...order, startsAt: START });
      expect(until).toBeLessThanOrEqual(START);
      expect(until).toBeGreaterThanOrEqual(Math.min(START, coolingOffEndsAt(order.boughtAt)));
    }),
  );
});

test("the page states each rule in a sentence", () => {
  expect(refundRuleText(0)).toBe("Quem cancela antes do começo recebe todo o dinheiro de volta.");
  expect(refundRuleText(48)).toMatch(/^Quem cancela até 48 horas antes recebe todo/);
  expect(refundRuleText(168)).toContain("até 7 dias antes");
  expect(refundRuleText(null)).toContain("nos 7 dias depois da compra");
});

const typed = {
  name: "Inteira",
  price: "30,00",
  kindCapacity: "",
  saleStartsAt: "",
  saleEndsAt: "",
};
const read = (changed: Partial<typeof typed>) =>
  ticketKindSchema("America/Sao_Paulo").safeParse({ ...typed, ...changed });

test.each([
  ["30,00", 3_000],
  ["", 0],
  ["0", 0],
  ["0,00", 0],
])("the price %j is %d centavos", (price, cents) => {
  expect(read({ price }).data?.price).toBe(cents);
});

test.each([
  ["no name", { name: " " }, "name", "Campo obrigatório"],
  ["a price that is none", { price: "trinta" }, "price", "preço"],
  ["a price below the least", { price: "0,50" }, "price", "R$"],
  ["no tickets", { kindCapacity: "0" }, "kindCapacity", "de 1 a 100.000"],
  ["a day that does not exist", { saleStartsAt: "31/02/2027 10:00" }, "saleStartsAt", "não existe"],
  ["a text for a time", { saleEndsAt: "amanhã" }, "saleEndsAt", "Escreva o dia e a hora"],
  [
    "an end before the start",
    { saleStartsAt: "2027-02-02T10:00", saleEndsAt: "2027-02-01T10:00" },
    "saleEndsAt",
    "depois de começar",
  ],
])("a kind with %s is refused beside its field", (_, changed, field, words) => {
  const [issue] = read(changed).error?.issues ?? [];
  expect(issue?.path).toEqual([field]);
  expect(issue?.message).toContain(words);
});
