import { expect, test } from "vitest";
import { acquireLease, LEASE_MS } from "#app/domain/payments/providers/commands/leases.server.ts";
import { DAY_MS } from "#app/domain/time.ts";
import { providerTurns } from "#drizzle/schema/payments.ts";
import { testClock } from "#tests/support/clock.ts";
import { testContext } from "#tests/support/context.ts";

test("only one of many concurrent requests gets the lease until it is released; leases of other objects are independent", async () => {
  const { ctx } = await testContext();
  const at = testClock.now();
  const asked = (subject: string, later = 0) =>
    acquireLease({ db: ctx.db, at: at + later }, { subject });
  const first = await Promise.all([1, 2, 3, 4].map(() => asked("refund:1")));
  expect(first.filter((isAcquired) => isAcquired)).toHaveLength(1);
  expect(await asked("refund:2")).toBe(true);
  expect([
    await asked("refund:1", LEASE_MS - 1),
    await asked("refund:1", LEASE_MS),
    await asked("refund:1", LEASE_MS),
  ]).toEqual([false, true, false]);
  expect(await asked("refund:3", DAY_MS + 2 * LEASE_MS + 1)).toBe(true);
  expect(await ctx.db.select({ subject: providerTurns.subject }).from(providerTurns)).toEqual([
    { subject: "refund:3" },
  ]);
});
