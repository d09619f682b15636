import { expect, test } from "vitest";
import {
  balancesProblem,
  outgoingCents,
} from "#app/domain/ledger/platform-money/rules/provider-balances.ts";

const all = {
  payoutsCents: 0,
  refundsCents: 0,
  transfersCents: 0,
  disputesCents: 0,
  lateSalesCents: 0,
  lateTransfers: 0,
  lateDisputes: 0,
};
const one = (theirCents: number | null, way: number = 0) => ({
  name: "sandbox",
  booksCents: 1_000,
  theirCents,
  onItsWayCents: way,
});

test("unbooked outgoing money includes requested payments, disputed funds and the provider costs of recent days", () => {
  expect(
    outgoingCents({
      ...all,
      payoutsCents: 1,
      refundsCents: 10,
      transfersCents: 100,
      disputesCents: 1_000,
    }),
  ).toBe(1_111);
  expect([
    outgoingCents({ ...all, lateSalesCents: 1_000 }),
    outgoingCents({ ...all, lateSalesCents: 1 }),
    outgoingCents({ ...all, lateTransfers: 3, lateDisputes: 2 }),
  ]).toEqual([60, 1, 21_500]);
});

test.each([
  ["the balance of the ledger", [one(1_000)], null],
  ["more", [one(5_000)], null],
  ["less, by the money in transit", [one(900, 100)], null],
  ["less, by a centavo more than the money in transit", [one(899, 100)], "short"],
  ["no provider answers", [one(null)], "silent"],
  ["one provider is short, another does not answer", [one(null), one(0)], "short"],
  ["another provider is short", [one(1_000), one(0)], "short"],
])("%s", (_, compared, problem) => {
  expect(balancesProblem(compared)).toBe(problem);
});
