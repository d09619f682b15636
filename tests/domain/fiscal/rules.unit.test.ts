import fc from "fast-check";
import { expect, test } from "vitest";
import { instantOfIsoDay } from "#app/domain/time.ts";
import {
  invoiceFileName,
  filesCount,
  invoiceAmounts,
  lateMonths,
  monthToInvoice,
  parseInvoiceFile,
  retainedSince,
  RPS_PER_FILE,
  SERIES,
  serviceDescription,
} from "#app/domain/fiscal/rules.ts";

// Issued on 2 February and due at the city hall by the 12th. It is late from the 19th on.
const batch = {
  month: "2026-01",
  issuedOn: "2026-02-02",
  handedInAt: 1,
  takenAt: null,
  invoicesCount: 3,
};
test.each([
  ["the day before", { batches: [batch], nextMonth: "2026-02" }, "2026-02-18", []],
  [
    "not handed in",
    { batches: [batch], nextMonth: "2026-02" },
    "2026-02-19",
    [["2026-01", "not_taken", "2026-02-12"]],
  ],
  [
    "not written",
    { batches: [{ ...batch, handedInAt: null }], nextMonth: "2026-02" },
    "2026-02-19",
    [["2026-01", "not_written", "2026-02-12"]],
  ],
  ["taken", { batches: [{ ...batch, takenAt: 1 }], nextMonth: "2026-02" }, "2026-02-28", []],
  [
    "nothing to invoice",
    { batches: [{ ...batch, invoicesCount: 0 }], nextMonth: "2026-02" },
    "2026-02-28",
    [],
  ],
  [
    "the next one was not invoiced, the day before",
    { batches: [], nextMonth: "2026-02" },
    "2026-03-17",
    [],
  ],
  [
    "the next one was not invoiced",
    { batches: [], nextMonth: "2026-02" },
    "2026-03-18",
    [["2026-02", "not_written", "2026-03-11"]],
  ],
  ["no month sealed yet", { batches: [], nextMonth: null }, "2026-12-31", []],
] as const)(
  "staff are notified of a month seven days after its deadline: %s",
  (_, input, day, late) => {
    expect(
      lateMonths(input, instantOfIsoDay(day)).map(({ month, why, dueOn }) => [month, why, dueOn]),
    ).toEqual(late);
  },
);

test.each([
  [{ lastInvoiced: null, firstSealed: null, lastSealed: null }, null],
  [{ lastInvoiced: null, firstSealed: "2026-01", lastSealed: "2026-03" }, "2026-01"],
  [{ lastInvoiced: "2026-01", firstSealed: "2026-01", lastSealed: "2026-03" }, "2026-02"],
  [{ lastInvoiced: "2026-03", firstSealed: "2026-01", lastSealed: "2026-03" }, null],
  [{ lastInvoiced: "2025-12", firstSealed: "2025-12", lastSealed: "2025-12" }, null],
  [{ lastInvoiced: "2025-12", firstSealed: "2025-12", lastSealed: "2026-01" }, "2026-01"],
])("months are invoiced in order once they are sealed: %o", (input, month) => {
  expect(monthToInvoice(input)).toBe(month);
});

test.each([
  [100, 0, true, 100, 0],
  [1, 0, true, 1, 0],
  [0, 0, true, 0, 0],
  [-50, 0, true, 0, -50],
  [80, -50, true, 30, 0],
  [30, -50, true, 0, -20],
  [100, 0, false, 0, 100],
  [100, 100, true, 200, 0],
])(
  "a fee of %i after %i is invoiced as %s: %i, and %i is left",
  (feeCents, carriedCents, hasTaxId, invoicedCents, leftCents) => {
    expect(invoiceAmounts({ feeCents, carriedCents, hasTaxId })).toEqual({
      invoicedCents,
      leftCents,
    });
  },
);

test("over any months, invoices and the rest sum to the fees, and no invoice is below one centavo", () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.record({ feeCents: fc.integer({ min: -10_000, max: 10_000 }), hasTaxId: fc.boolean() }),
      ),
      (months) => {
        let [left, invoiced] = [0, 0];
        for (const month of months) {
          const part = invoiceAmounts({ ...month, carriedCents: left });
          expect(part.invoicedCents).toBeGreaterThanOrEqual(0);
          [left, invoiced] = [part.leftCents, invoiced + part.invoicedCents];
        }
        expect(invoiced + left).toBe(months.reduce((sum, { feeCents }) => sum + feeCents, 0));
      },
    ),
  );
});

test("a month has the required number of files, and each is found by its address", () => {
  expect([
    filesCount(0),
    filesCount(1),
    filesCount(RPS_PER_FILE),
    filesCount(RPS_PER_FILE + 1),
  ]).toEqual([0, 1, 1, 2]);
  expect(parseInvoiceFile(invoiceFileName("2026-03", 11))).toEqual({ month: "2026-03", part: 11 });
  for (const odd of ["2026-13-1.txt", "2026-03-0.txt", "2026-03.txt", "../1.txt", undefined])
    expect(parseInvoiceFile(odd)).toBeNull();
});

test("the series fits its field, and the service description names its month", () => {
  expect(SERIES.length).toBeLessThanOrEqual(5);
  expect(serviceDescription("2026-03")).toContain("março de 2026");
});

test.each([
  ["2031-12", "2026-01"],
  ["2032-01", "2027-01"],
])("once %s is invoiced, recipients are named from %s on", (last, since) => {
  expect(retainedSince(last)).toBe(since);
});
