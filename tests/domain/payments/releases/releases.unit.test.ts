import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { recoveredDebtCents } from "#app/domain/ledger/rules.ts";
import {
  pendingCentsOf,
  splitProportionally,
  allocateSequentially,
  planReleaseParts,
  allocateRefund,
  allocateDisputeWon,
} from "#app/domain/payments/releases/rules/releases.ts";
import type { ReleasePart } from "#app/domain/payments/releases/rules/releases.ts";
import { DAY_MS } from "#app/domain/time.ts";

const sum = (cents: readonly number[]) => cents.reduce((total, one) => total + one, 0);
const part = (position: number, more: Partial<ReleasePart> = {}): ReleasePart => ({
  id: `${position}`,
  position,
  netCents: 100,
  takenCents: 0,
  disputedCents: 0,
  beginsAt: position * DAY_MS,
  releaseAt: (position + 1) * DAY_MS,
  releasedAt: null,
  ...more,
});

describe("splitting an amount into release parts", () => {
  test.each([
    [100, [1, 1, 1], [34, 33, 33]],
    [5_671, [1_990, 1_990, 1_990], [1_891, 1_890, 1_890]],
    [100, [500, 1_000], [33, 67]],
    [0, [1, 1], [0, 0]],
    [1, [1, 1, 1], [1, 0, 0]],
  ])("%i split by %j is %j", (totalCents, weights, parts) => {
    expect(splitProportionally(totalCents, weights)).toEqual(parts);
  });

  test("the parts sum to the whole, and each is within one centavo of its share", () => {
    const weights = fc.array(fc.integer({ min: 1, max: 500_000 }), { minLength: 1, maxLength: 24 });
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 500_000_00 }), weights, (totalCents, weightsCents) => {
        const parts = splitProportionally(totalCents, weightsCents);
        expect(sum(parts)).toBe(totalCents);
        for (const [position, cents] of parts.entries())
          expect(
            Math.abs(cents - (totalCents * (weightsCents[position] ?? 0)) / sum(weightsCents)),
          ).toBeLessThan(1);
      }),
    );
  });
});

describe("release by period", () => {
  test("a charge with no period or one period is released whole, when the sale is", () => {
    expect(planReleaseParts({ netCents: 1_890, earliestAt: 7, periods: [] })).toEqual([
      { netCents: 1_890, beginsAt: null, releaseAt: 7 },
    ]);
    expect(
      planReleaseParts({
        netCents: 1_890,
        earliestAt: 7,
        periods: [{ startsAt: 9, cents: 1_990 }],
      }),
    ).toEqual([{ netCents: 1_890, beginsAt: null, releaseAt: 7 }]);
  });

  test("each of several parts is released a day after its period starts, and never before the sale would be", () => {
    const periods = [0, 30, 60].map((day) => ({ startsAt: day * DAY_MS, cents: 1_000 }));
    expect(planReleaseParts({ netCents: 2_851, earliestAt: 8 * DAY_MS, periods })).toEqual([
      { netCents: 951, beginsAt: 0, releaseAt: 8 * DAY_MS },
      { netCents: 950, beginsAt: 30 * DAY_MS, releaseAt: 31 * DAY_MS },
      { netCents: 950, beginsAt: 60 * DAY_MS, releaseAt: 61 * DAY_MS },
    ]);
  });

  test("a refund is taken from the latest period first, and never from released parts", () => {
    const parts = [part(0, { releasedAt: 1 }), part(1), part(2, { takenCents: 30 })];
    expect(
      allocateRefund(parts, 120).map(({ part: { position }, cents }) => [position, cents]),
    ).toEqual([
      [2, 70],
      [1, 50],
    ]);
    expect(sum(allocateRefund(parts, 500).map(({ cents }) => cents))).toBe(170);
    expect(allocateRefund([part(0, { releasedAt: 1 })], 10)).toEqual([]);
  });

  test("a won dispute releases the parts that are due or have no period; the rest waits again", () => {
    const parts = [
      part(0, { releasedAt: 1 }),
      part(1, { disputedCents: 100 }),
      part(2, { takenCents: 100 }),
      part(3, { takenCents: 40, disputedCents: 60 }),
      part(4, { disputedCents: 100 }),
    ];
    const { shares, waitingCents } = allocateDisputeWon(parts, 260, 2 * DAY_MS);
    expect(
      shares.filter(({ isFreed }) => isFreed).map(({ part: { position } }) => position),
    ).toEqual([1]);
    expect(waitingCents).toBe(160);
    expect(
      allocateDisputeWon(
        [part(0, { beginsAt: null, releaseAt: 99 * DAY_MS, disputedCents: 100 })],
        100,
        0,
      ),
    ).toMatchObject({ shares: [{ isFreed: true }], waitingCents: 0 });
  });

  test.each([
    ["stays pending with the rest", {}, 40, { isFreed: false, waitingCents: 40 }],
    [
      "is available at once when the rest was released",
      { releasedAt: 5 },
      40,
      { isFreed: false, waitingCents: 0 },
    ],
    [
      "is available, with its part, when another dispute reserves the rest",
      {},
      100,
      { isFreed: true, waitingCents: 0 },
    ],
  ])(
    "a partial amount returned by a dispute: %s",
    (_, more, disputedCents, { isFreed, waitingCents }) => {
      const won = allocateDisputeWon([part(0, { beginsAt: null, disputedCents, ...more })], 40, 0);
      expect(won).toMatchObject({ shares: [{ cents: 40, isFreed }], waitingCents });
    },
  );

  test("disputed funds are not released, and no refund takes them", () => {
    expect(pendingCentsOf(part(0, { disputedCents: 30 }))).toBe(70);
    expect(allocateRefund([part(0, { disputedCents: 30 })], 100).map(({ cents }) => cents)).toEqual(
      [70],
    );
    expect(pendingCentsOf(part(0, { releasedAt: 5 }))).toBe(0);
  });
});

test("parts released together give the same postings as parts released one after the other", () => {
  const leaving = fc.record({
    charge: fc.integer({ min: 0, max: 3 }),
    netCents: fc.integer({ min: 0, max: 5_000 }),
    takenCents: fc.integer({ min: 0, max: 100 }),
  });
  fc.assert(
    fc.property(
      fc.array(leaving, { maxLength: 12 }),
      fc.array(fc.integer({ min: 0, max: 9_000 }), { minLength: 2, maxLength: 2 }),
      (generated, owed) => {
        const parts = generated.map(({ charge, netCents, takenCents }, position) => ({
          ...part(position, { netCents, takenCents: Math.min(netCents, takenCents) }),
          chargeId: `charge-${charge}`,
          creatorId: `creator-${charge % 2}`,
          pendingCents: 100_000 + charge,
        }));
        const [pending, owes] = [
          new Map(parts.map(({ chargeId, pendingCents }) => [chargeId, pendingCents])),
          new Map(owed.map((cents, at) => [`creator-${at}`, cents])),
        ];
        for (const found of allocateSequentially(parts, owes)) {
          const [pendingCents, owedCents] = [
            pending.get(found.chargeId) ?? 0,
            owes.get(found.creatorId) ?? 0,
          ];
          expect(found).toMatchObject({ pendingCents, owedCents });
          pending.set(found.chargeId, pendingCents - pendingCentsOf(found));
          owes.set(
            found.creatorId,
            owedCents - recoveredDebtCents({ netCents: pendingCentsOf(found), owedCents }),
          );
          expect(owes.get(found.creatorId)).toBeGreaterThanOrEqual(0);
        }
      },
    ),
  );
});
