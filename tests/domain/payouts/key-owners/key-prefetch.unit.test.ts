import fc from "fast-check";
import { expect, test } from "vitest";
import {
  keyPrefetchFrom,
  planKeyPrefetch,
} from "#app/domain/payouts/key-owners/rules/key-prefetch.ts";
import { encodeAccount } from "#app/domain/payouts/destinations/rules/accounts.ts";

const keys = fc.uniqueArray(
  fc.record({ creatorId: fc.uuid(), isLookedUp: fc.boolean(), isDue: fc.boolean() }),
  { selector: ({ creatorId }) => creatorId },
);

test("lookups go to the payouts that are due first, never more than the lookups available", () => {
  fc.assert(
    fc.property(keys, fc.nat(6), (some, turns) => {
      const { lookedUp, lookUpNow, notYet } = planKeyPrefetch(some, turns);
      expect(lookUpNow).toEqual(
        some
          .filter(({ isLookedUp, isDue }) => !isLookedUp && isDue)
          .map(({ creatorId }) => creatorId)
          .slice(0, turns),
      );
      expect([lookedUp, notYet]).toEqual(
        [true, false].map((isLookedUp) =>
          some
            .filter((one) => one.isLookedUp === isLookedUp && (isLookedUp || !one.isDue))
            .map(({ creatorId }) => creatorId),
        ),
      );
    }),
  );
});

const ACCOUNT = encodeAccount({
  bankCode: "237",
  branch: "1263",
  account: "999999",
  accountDigit: "1",
  kind: "checking",
});

test.each([
  ["an e-mail without a saved owner", { kind: "email", key: "ana@exemplo.test" }, false, 7],
  ["a phone without a saved owner", { kind: "phone", key: "+5581987654321" }, false, 7],
  [
    "a random key with a saved owner",
    { kind: "evp", key: "123e4567-e89b-12d3-a456-426614174000" },
    true,
    null,
  ],
  ["a CPF", { kind: "cpf", key: "52998224725" }, false, null],
  ["an account", { kind: "bank_account", key: ACCOUNT }, false, null],
] as const)("the key is looked up before the payout: %s", (_, place, isLookedUp, from) => {
  expect(keyPrefetchFrom(place, { isLookedUp, now: 7 })).toBe(from);
});
