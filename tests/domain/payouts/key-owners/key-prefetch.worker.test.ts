import { eq, inArray } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { openDatabase } from "#app/db/client.server.ts";
import { ProviderUnclear } from "#app/domain/payments/errors.ts";
import { requestPayout } from "#app/domain/payouts/commands.server.ts";
import { claimPayout } from "#app/domain/payouts/sending/commands/claim.server.ts";
import { allocateKeyLookups } from "#app/domain/payouts/key-owners/commands/key-prefetch.server.ts";
import { changeWithdrawalMethod } from "#app/domain/payouts/destinations/commands.server.ts";
import { payoutRow } from "#app/domain/payouts/queries.server.ts";
import { loadPayoutSnapshot } from "#app/domain/payouts/sending/queries/payout-snapshot.server.ts";
import { KEY_LOOKUPS_PER_MINUTE } from "#app/domain/payouts/key-owners/rules/key-owners.ts";
import {
  KEY_PREFETCH_RETRY_MS,
  KEY_PREFETCH_RECHECK_MS,
} from "#app/domain/payouts/key-owners/rules/key-prefetch.ts";
import { DAY_MS, MINUTE_MS } from "#app/domain/time.ts";
import { documents } from "#drizzle/schema/documents.ts";
import { people } from "#drizzle/schema/identity.ts";
import { payoutHolds, payouts, pixKeyOwners, withdrawalMethods } from "#drizzle/schema/payouts.ts";
import { cleanDatabase } from "#tests/support/clean-storage.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { recordDatabase } from "#tests/support/d1-recorder.ts";
import { withKeyDirectory } from "#tests/support/key-directory.ts";
import { interleaveBeforeWrite } from "#tests/support/interleave.ts";
import { paidSubscription } from "#tests/support/payments.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller, TestPerson } from "#tests/support/people.ts";
import { queryPlan, wholeTableReads } from "#tests/support/query-plan.ts";
import { testEnv } from "#tests/support/worker-env.ts";
import { runNotificationsCron } from "#workers/notifications/sweep.ts";
import { runPayoutJob, runPayouts } from "#workers/payouts/run.ts";

let world: World;
let bruno: TestPerson;
beforeEach(async () => {
  // Key lookups must be due only for what a test made.
  await cleanDatabase("DB", testEnv.DB, []);
  world = await testContext();
  bruno = await createPerson(world.ctx, "Bruno");
});

const methodOf = async ({ id }: Seller) =>
  (
    await world.ctx.db.select().from(withdrawalMethods).where(eq(withdrawalMethods.creatorId, id))
  )[0];
const answerOf = async ({ id }: Seller) =>
  (await world.ctx.db.select().from(pixKeyOwners).where(eq(pixKeyOwners.creatorId, id)))[0];

/** A creator with money whose key was never looked up. `at` orders their next lookup. */
async function neverAsked(at = 0): Promise<Seller> {
  const ana = await createSeller(world.ctx);
  await paidSubscription(world, bruno, ana);
  await world.ctx.db.delete(pixKeyOwners).where(eq(pixKeyOwners.creatorId, ana.id));
  await world.ctx.db
    .update(withdrawalMethods)
    .set({ schedule: "manual", askOwnerAt: at })
    .where(eq(withdrawalMethods.creatorId, ana.id));
  return ana;
}

/** Payouts that wait for a key lookup. The last one is due only after this minute. */
async function waiting(many: number): Promise<string[]> {
  const now = world.ctx.now();
  const rows = Array.from({ length: many }, (_, at) => ({
    id: `waits-${at}`,
    creatorId: `waits-${at}`,
    amountCents: 0,
    status: "requested" as const,
    pixKeyKind: "email" as const,
    pixKey: `a${at}@exemplo.test`,
    provider: "sandbox",
    requestedAt: at,
    waitsFor: "key_owner" as const,
    waitsUntil: at === many - 1 ? now + MINUTE_MS : at,
  }));
  if (rows.length > 0) await world.ctx.db.insert(payouts).values(rows);
  return rows.slice(0, -1).map(({ id }) => id);
}
const turnsOf = (type: string) =>
  world.queued.splice(0).flatMap((message) => (message.type === type ? [message.id] : []));

test("a key never looked up is looked up in advance in a free minute, and not again at the claim", async () => {
  const ana = await neverAsked();
  const { ctx, asked } = withKeyDirectory(world, { name: "ANA M LIRA", taxId: "" });
  await runNotificationsCron(world.ctx);
  const turns = turnsOf("key_owner.ask");
  expect(turns).toEqual([ana.id]);
  for (const id of [...turns, ...turns]) await runPayoutJob(ctx, { type: "key_owner.ask", id });
  expect([asked, (await answerOf(ana))?.ownerName, (await methodOf(ana))?.askOwnerAt]).toEqual([
    [ana.email],
    "ANA M LIRA",
    null,
  ]);
  await world.advance(9 * DAY_MS);
  await runPayouts(world.ctx);
  const { payoutId } = await requestPayout(world.ctx, { creatorId: ana.id });
  const atClaim = withKeyDirectory(world, new ProviderUnclear("429"));
  await claimPayout(atClaim.ctx, { payoutId });
  expect([(await payoutRow(world.ctx, { payoutId }))?.status, atClaim.asked]).toEqual([
    "claimed",
    [],
  ]);
});

test.each([2, KEY_LOOKUPS_PER_MINUTE])(
  "of the lookups of a minute, %i go to payouts that wait, and the rest to the oldest keys without an answer",
  async (many) => {
    const sellers = [];
    for (let at = 0; at < 4; at += 1) sellers.push(await neverAsked(at));
    const due = await waiting(many);
    world.queued.splice(0);
    await allocateKeyLookups(world.ctx);
    const turns = world.queued.splice(0);
    expect(turns.map(({ id }) => id)).toEqual([
      ...due,
      ...sellers.map(({ id }) => id).slice(0, KEY_LOOKUPS_PER_MINUTE - many),
    ]);
    await allocateKeyLookups(world.ctx);
    // The next minute continues with the following keys.
    expect(turnsOf("key_owner.ask")).toEqual(
      sellers
        .map(({ id }) => id)
        .slice(KEY_LOOKUPS_PER_MINUTE - many, 2 * (KEY_LOOKUPS_PER_MINUTE - many)),
    );
  },
);

test.each<[string, (ana: Seller) => Promise<unknown>]>([
  [
    "whose documents are not approved",
    ({ id }) =>
      world.ctx.db.update(documents).set({ status: "submitted" }).where(eq(documents.personId, id)),
  ],
  [
    "who is banned",
    ({ id }) => world.ctx.db.update(people).set({ bannedAt: 1 }).where(eq(people.id, id)),
  ],
  [
    "whose payouts are held by a moderator",
    ({ id }) =>
      world.ctx.db
        .insert(payoutHolds)
        .values({ id, creatorId: id, reason: "Conferimos", heldBy: "maria", heldAt: 1 }),
  ],
])("a creator %s gets no key lookup, and is checked again on a later day", async (_, make) => {
  const [ana, otherSeller] = [await neverAsked(0), await neverAsked(1)];
  await make(ana);
  world.queued.splice(0);
  const now = world.ctx.now();
  await allocateKeyLookups(world.ctx);
  expect(turnsOf("key_owner.ask")).toEqual([otherSeller.id]);
  expect((await methodOf(ana))?.askOwnerAt).toBeGreaterThanOrEqual(now + KEY_PREFETCH_RECHECK_MS);
  // The queued job makes no lookup either.
  const { ctx, asked } = withKeyDirectory(world, null);
  await runPayoutJob(ctx, { type: "key_owner.ask", id: ana.id });
  expect(asked).toEqual([]);
});

test("no key is looked up without money, with a saved answer, of a CPF, or when no provider offers it", async () => {
  const [poor, answered, document] = [
    await createSeller(world.ctx),
    await createSeller(world.ctx),
    await neverAsked(),
  ];
  await world.ctx.db.delete(pixKeyOwners).where(eq(pixKeyOwners.creatorId, poor.id));
  await world.ctx.db
    .update(withdrawalMethods)
    .set({ askOwnerAt: 0 })
    .where(inArray(withdrawalMethods.creatorId, [poor.id, answered.id]));
  await changeWithdrawalMethod(world.ctx, {
    creatorId: document.id,
    to: {
      kind: "cpf",
      key: (await loadPayoutSnapshot(world.ctx, { creatorId: document.id })).owner?.taxId ?? "",
    },
  });
  const ana = await neverAsked();
  world.queued.splice(0);
  await allocateKeyLookups({ ...world.ctx, payments: { ...world.ctx.payments, can: new Set() } });
  expect([world.queued, (await methodOf(ana))?.askOwnerAt]).toEqual([[], 0]);
  await allocateKeyLookups(world.ctx);
  expect(turnsOf("key_owner.ask")).toEqual([ana.id]);
  expect([(await methodOf(answered))?.askOwnerAt, (await methodOf(document))?.askOwnerAt]).toEqual([
    null,
    null,
  ]);
});

test("an unanswered lookup is repeated an hour later; the key of another person is saved for the claim", async () => {
  const ana = await neverAsked();
  await allocateKeyLookups(world.ctx);
  await runPayoutJob(withKeyDirectory(world, new ProviderUnclear("429")).ctx, {
    type: "key_owner.ask",
    id: ana.id,
  });
  world.queued.splice(0);
  await allocateKeyLookups(world.ctx);
  expect([await answerOf(ana), turnsOf("key_owner.ask")]).toEqual([undefined, []]);
  await world.advance(KEY_PREFETCH_RETRY_MS);
  await allocateKeyLookups(world.ctx);
  expect(turnsOf("key_owner.ask")).toEqual([ana.id]);
  await runPayoutJob(
    withKeyDirectory(world, { name: "OTÁVIA PRADO", taxId: "***.444.777-**" }).ctx,
    {
      type: "key_owner.ask",
      id: ana.id,
    },
  );
  expect((await answerOf(ana))?.ownerName).toBe("OTÁVIA PRADO");
});

test("a key that changes during its lookup does not get the answer of the old key", async () => {
  const ana = await neverAsked();
  const other = "outra@exemplo.test";
  const { ctx, asked } = withKeyDirectory(world, { name: "ANA M LIRA", taxId: "" });
  const unclear = withKeyDirectory(world, new ProviderUnclear("429"));
  const changing = interleaveBeforeWrite(
    ctx,
    async () =>
      await changeWithdrawalMethod(unclear.ctx, {
        creatorId: ana.id,
        to: { kind: "email", key: other },
      }),
    /update "withdrawal_methods"/i,
  );
  await runPayoutJob(changing, { type: "key_owner.ask", id: ana.id });
  expect([asked, (await answerOf(ana))?.pixKey]).toEqual([[ana.email, other], other]);
});

test("neither query reads more rows than its limit: both use an index of what is due", async () => {
  const tap = recordDatabase(testEnv.DB);
  await neverAsked();
  await allocateKeyLookups({ ...world.ctx, db: openDatabase(tap.database) });
  const [waits, keys] = tap.trips.flat();
  for (const [asked, index] of [
    [waits, "payouts_waiting_for_owner"],
    [keys, "withdrawal_methods_ask_owner"],
  ] as const) {
    if (!asked) throw new Error("nothing was read");
    const plan = await queryPlan(testEnv.DB, asked);
    expect(plan.filter((step) => step.includes(index))).toHaveLength(1);
    expect(plan.filter((step) => /TEMP B-TREE/.test(step))).toEqual([]);
    expect(await wholeTableReads(testEnv.DB, asked)).toEqual([]);
  }
});
