import { eq } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import { commit } from "#app/db/client.server.ts";
import { RuleViolation, UniqueViolation } from "#app/db/errors.ts";
import type { Context } from "#app/domain/context.ts";
import { invariantFindings } from "#app/domain/audit/queries/invariants.server.ts";
import { charges } from "#drizzle/schema/payments.ts";
import { purchases } from "#drizzle/schema/purchases.ts";
import { insertPurchaseRows } from "#tests/support/purchase-rows.ts";
import { testContext } from "#tests/support/context.ts";

let ctx: Context;
beforeAll(async () => {
  ({ ctx } = await testContext());
});

const drawn = (more: { isPaid?: boolean; isOver?: boolean } = {}) =>
  insertPurchaseRows(ctx, {
    personId: ctx.newId(),
    creatorId: ctx.newId(),
    kind: "post",
    targetId: ctx.newId(),
    ...more,
  });
async function insertedPurchase(
  more: { isPaid?: boolean; isOver?: boolean } = {},
): Promise<string> {
  const { purchaseId, rows } = drawn(more);
  await commit(ctx.db, rows);
  return purchaseId;
}
const set = (purchaseId: string, change: Partial<typeof purchases.$inferInsert>) =>
  commit(ctx.db, [ctx.db.update(purchases).set(change).where(eq(purchases.id, purchaseId))]);
const brokenBy = async (name: string) =>
  (await invariantFindings(ctx)).find((finding) => finding.name === name)?.rows ?? [];

test("the database refuses a purchase by a charge that did not succeed or that is another person's", async () => {
  const unpaid = await insertedPurchase({ isPaid: false });
  await expect(set(unpaid, { boughtAt: ctx.now() })).rejects.toThrow(RuleViolation);
  const { purchaseId, rows } = drawn();
  await expect(commit(ctx.db, [...rows.slice(1), ...rows.slice(0, 1)])).rejects.toThrow(
    RuleViolation,
  );
  await commit(ctx.db, rows.slice(0, 1));
  await ctx.db.update(charges).set({ payerId: "outra" }).where(eq(charges.purchaseId, purchaseId));
  await expect(commit(ctx.db, rows.slice(1))).rejects.toThrow(RuleViolation);
});

test("a purchase ends once, and is never reopened, changed or deleted", async () => {
  const over = await insertedPurchase({ isOver: true });
  await expect(set(over, { endedAt: null, endedReason: null })).rejects.toThrow(RuleViolation);
  await expect(set(over, { endedAt: ctx.now() + 1 })).rejects.toThrow(RuleViolation);
  const held = await insertedPurchase();
  for (const change of [
    { amountCents: 1 },
    { personId: "outra" },
    { targetId: "outra" },
    { chargeId: "outra" },
    { boughtAt: null },
    { endedAt: 1 },
    { endedAt: 1, endedReason: "porque sim" },
  ]) {
    await expect(set(held, change)).rejects.toThrow(RuleViolation);
  }
  await expect(
    commit(ctx.db, [ctx.db.delete(purchases).where(eq(purchases.id, held))]),
  ).rejects.toThrow(RuleViolation);
});

test.each([true, false])(
  "one person has at most one owned or open purchase of a thing (paid: %s)",
  async (isPaid) => {
    const same = {
      personId: ctx.newId(),
      creatorId: ctx.newId(),
      kind: "post" as const,
      targetId: ctx.newId(),
      isPaid,
    };
    await commit(ctx.db, insertPurchaseRows(ctx, same).rows);
    await expect(commit(ctx.db, insertPurchaseRows(ctx, same).rows)).rejects.toThrow(
      UniqueViolation,
    );
    await commit(ctx.db, insertPurchaseRows(ctx, { ...same, kind: "collection" }).rows);
  },
);

test("the ledger checks find purchases without their money, and money without its purchase", async () => {
  const held = await insertedPurchase();
  await ctx.db
    .update(charges)
    .set({ status: "refunded", refundedCents: 500 })
    .where(eq(charges.purchaseId, held));
  expect(await brokenBy("purchases_paid")).toContainEqual({ id: held });
  const over = await insertedPurchase({ isOver: true });
  const [charge] = await ctx.db.select().from(charges).where(eq(charges.purchaseId, over));
  expect(await brokenBy("purchases_answered")).toContainEqual({ id: charge?.id });
});
