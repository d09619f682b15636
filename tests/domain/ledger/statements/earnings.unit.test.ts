import fc from "fast-check";
import { expect, test } from "vitest";
import {
  parseReportYear,
  balanceChange,
  parseEarningsFigure,
  earningsFigures,
  earningsPartOf,
  sumEarningsFigures,
} from "#app/domain/ledger/statements/rules/earnings.ts";
import { byBucket } from "#tests/support/earnings.ts";

const kinds = [
  "charge.succeeded",
  "charge.released",
  "charge.refunded",
  "dispute.opened",
  "dispute.lost",
  "dispute.won",
  "payout.claimed",
  "payout.paid",
  "payout.failed",
  "payout.returned",
  "provider.moved",
  "owed.settled",
  "debt.paid",
  "debt.dispute.opened",
  "debt.dispute.won",
];
const effect = fc.record({
  bucket: fc.constantFrom("2026-01", "2026-02", "2026-03"),
  kind: fc.constantFrom(...kinds),
  count: fc.constant(1),
  feeCents: fc.integer({ min: -1_000_000, max: 1_000_000 }),
  heldCents: fc.integer({ min: -1_000_000, max: 1_000_000 }),
});

test.each([
  ["charge.succeeded", "sold"],
  ["charge.refunded", "returned"],
  ["dispute.opened", "disputed"],
  ["dispute.won", "disputed"],
  ["dispute.lost", "disputed"],
  ["payout.paid", "paid"],
  ["payout.returned", "paid"],
  ["charge.released", "other"],
  ["something.new", "other"],
  ["debt.paid", "other"],
  ["debt.dispute.opened", "other"],
  ["debt.charge.refunded", "other"],
])("%s is %s in the earnings statement", (kind, part) => {
  expect(earningsPartOf(kind)).toBe(part);
});

test("a sale of R$ 19,90 at 5% counts as gross, fee and net; a refund of half deducts half of each", () => {
  expect(
    earningsFigures({ kind: "charge.succeeded", feeCents: 100, heldCents: 1_890 }),
  ).toMatchObject({
    gross: 1_990,
    returned: 0,
    fee: 100,
    net: 1_890,
    paid: 0,
  });
  expect(
    earningsFigures({ kind: "charge.refunded", feeCents: -50, heldCents: -945 }),
  ).toMatchObject({
    gross: 0,
    returned: 995,
    fee: -50,
    net: -945,
    paid: 0,
  });
  expect(earningsFigures({ kind: "payout.paid", feeCents: 0, heldCents: -945 })).toMatchObject({
    gross: 0,
    net: 0,
    paid: 945,
  });
});

test("a dispute is no refund: it counts as disputed until it is won", () => {
  const opened = earningsFigures({ kind: "dispute.opened", feeCents: -100, heldCents: -1_890 });
  expect(opened).toMatchObject({ returned: 0, disputed: 1_990, fee: -100, net: -1_890 });
  const won = earningsFigures({ kind: "dispute.won", feeCents: 100, heldCents: 1_890 });
  expect(opened.disputed + won.disputed).toBe(0);
});

test("net is gross less refunds less fee, and the figures explain the change of the balance, for any events", () => {
  fc.assert(
    fc.property(fc.array(effect), (effects) => {
      const sum = sumEarningsFigures(effects);
      expect(sum.net).toBe(sum.gross - sum.returned - sum.disputed - sum.fee);
      expect(balanceChange(sum)).toBe(
        effects.reduce((total, { heldCents }) => total + heldCents, 0),
      );
      const parts = byBucket(effects).map(({ figures }) => figures);
      for (const name of ["gross", "returned", "disputed", "fee", "net", "paid", "other"] as const)
        expect(parts.reduce((total, part) => total + part[name], 0)).toBe(sum[name]);
    }),
  );
});

test("an invalid year or period in the URL falls back to the default", () => {
  expect([
    parseReportYear("2025", 2026),
    parseReportYear("2027", 2026),
    parseReportYear("dois mil", 2026),
    parseReportYear(null, 2026),
  ]).toEqual([2025, 2026, 2026, 2026]);
  expect([
    parseEarningsFigure("fee"),
    parseEarningsFigure("tudo"),
    parseEarningsFigure(null),
  ]).toEqual(["fee", "gross", "gross"]);
});
