import { afterEach, beforeEach, expect, test } from "vitest";
import { invariantFindings } from "#app/domain/audit/queries/invariants.server.ts";
import { isPayoutBlocking } from "#app/domain/audit/rules.ts";
import { requestPayout } from "#app/domain/payouts/commands.server.ts";
import { claimPayout } from "#app/domain/payouts/sending/commands/claim.server.ts";
import { approvePayout } from "#app/domain/payouts/staff-review/commands/staff-review.server.ts";
import { changeSchedule } from "#app/domain/payouts/batches/commands/schedule.server.ts";
import { changeWithdrawalMethod } from "#app/domain/payouts/destinations/commands.server.ts";
import { NotHeldForApproval, PayoutApprovalConflict } from "#app/domain/payouts/errors.ts";
import { creatorBalances, payoutRow } from "#app/domain/payouts/queries.server.ts";
import { releaseDueParts } from "#app/domain/payments/releases/commands/releases.server.ts";
import { releasesDue } from "#app/domain/payments/releases/queries.server.ts";
import { destinationSignature } from "#app/domain/payouts/staff-review/queries/staff-review.server.ts";
import { loadPayoutSnapshot } from "#app/domain/payouts/sending/queries/payout-snapshot.server.ts";
import { DAY_MS, MINUTE_MS } from "#app/domain/time.ts";
import { claimAndSendPayout } from "#workers/payouts/run.ts";
import { organizationMembers, organizations } from "#drizzle/schema/teams.ts";
import { expectInvariantsToHold } from "#tests/support/ledger-invariants.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { paidSubscription } from "#tests/support/payments.ts";
import { createModerator, createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller, TestPerson } from "#tests/support/people.ts";

const NET_CENTS = 1_890;
let world: World;
let carla: TestPerson;
let ana: Seller;
let payoutId: string;

beforeEach(async () => {
  world = await testContext();
  carla = await createModerator(world.ctx);
  ana = await createSeller(world.ctx);
  await changeSchedule(world.ctx, { creatorId: ana.id, schedule: "manual" });
  await paidSubscription(world, await createPerson(world.ctx, "Bruno"), ana);
  await world.advance(9 * DAY_MS);
  await world.tick();
  ({ payoutId } = await requestPayout(world.ctx, { creatorId: ana.id }));
  await claimPayout(aboveLimit(), { payoutId });
  world.queued.splice(0);
});
afterEach(() => expectInvariantsToHold(world.ctx));

const aboveLimit = () => ({
  ...world.ctx,
  settings: { ...world.ctx.settings, payoutApprovalCents: 1 },
});
const approve = async (moderatorId: string, seenCents = NET_CENTS) =>
  approvePayout(world.ctx, {
    payoutId,
    moderatorId,
    seenCents,
    seenPlace: await placeOf(payoutId),
  });
/** The destination signature that the staff form sends. */
async function placeOf(id: string): Promise<string> {
  const row = await payoutRow(world.ctx, { payoutId: id });
  return row ? await destinationSignature(world.ctx, row) : "";
}

test("a moderator in the creator's team cannot approve the payout; one who left the team can", async () => {
  const { ctx } = world;
  const now = ctx.now();
  const [organizationId, dora] = [ctx.newId(), await createModerator(ctx)];
  await ctx.db.insert(organizations).values({
    id: organizationId,
    ownerId: ana.id,
    name: "Equipe",
    slug: organizationId,
    createdAt: now,
    updatedAt: now,
  });
  const member = { organizationId, role: "admin" as const, mayManageBilling: true, joinedAt: now };
  await ctx.db.insert(organizationMembers).values([
    { ...member, personId: carla.id },
    { ...member, personId: dora.id, removedAt: now },
  ]);
  await expect(approve(carla.id)).rejects.toThrow(PayoutApprovalConflict);
  await approve(dora.id);
  world.queued.splice(0);
});

test.each(["nova@exemplo.test", "with the same mask"])(
  "an approval is refused when the destination changed after the page was loaded (%s)",
  async (other) => {
    const seenPlace = await placeOf(payoutId);
    // The mask shows the first letter of the e-mail and everything from the @ on.
    const key = other.includes("@")
      ? other
      : `${ana.email.slice(0, 1)}utra${ana.email.slice(ana.email.indexOf("@"))}`;
    await changeWithdrawalMethod(world.ctx, { creatorId: ana.id, to: { kind: "email", key } });
    await world.advance(DAY_MS + MINUTE_MS);
    await claimPayout(aboveLimit(), { payoutId });
    expect(await payoutRow(world.ctx, { payoutId })).toMatchObject({
      heldReason: "approval",
      pixKey: key,
    });
    await expect(
      approvePayout(world.ctx, {
        payoutId,
        moderatorId: carla.id,
        seenCents: NET_CENTS,
        seenPlace,
      }),
    ).rejects.toThrow(NotHeldForApproval);
    await approve(carla.id);
    world.queued.splice(0);
  },
);

test("the rest of a partly approved balance waits thirty days from that claim, then it is paid in any size", async () => {
  const { ctx } = world;
  const small = await createSeller(ctx, { amountCents: 900 });
  await changeSchedule(ctx, { creatorId: small.id, schedule: "manual" });
  const sold = async (name: string) =>
    await paidSubscription(world, await createPerson(ctx, name), small);
  await sold("Davi");
  await sold("Elis");
  await world.advance(9 * DAY_MS);
  await released();
  const { availableCents: seenCents } = await creatorBalances(ctx, { creatorId: small.id });
  const first = await requestPayout(ctx, { creatorId: small.id });
  await claimPayout(aboveLimit(), first);
  await approvePayout(ctx, {
    ...first,
    moderatorId: carla.id,
    seenCents,
    seenPlace: await placeOf(first.payoutId),
  });
  world.queued.splice(0);
  await sold("Fabi");
  await world.advance(9 * DAY_MS);
  await released();
  await claimAndSendPayout(ctx, { type: "payout.claim", id: first.payoutId });

  const claimed = await payoutRow(ctx, first);
  const rest = await loadPayoutSnapshot(ctx, { creatorId: small.id });
  expect([claimed?.amountCents, rest.availableCents, rest.availableSince]).toEqual([
    seenCents,
    seenCents / 2,
    claimed?.claimedAt,
  ]);
  await world.advance(30 * DAY_MS);
  await world.tick();
  const second = await requestPayout(ctx, { creatorId: small.id });
  await claimPayout(ctx, second);
  expect(await payoutRow(ctx, second)).toMatchObject({
    status: "claimed",
    amountCents: seenCents / 2,
  });
  expect(await loadPayoutSnapshot(ctx, { creatorId: small.id })).toMatchObject({
    availableCents: 0,
    availableSince: null,
  });
});

/** Releases the parts that are due, without the payout crons. */
async function released(): Promise<void> {
  const { ctx } = world;
  for (const releaseId of await releasesDue(ctx, { now: ctx.now(), limit: 50 }))
    await releaseDueParts(ctx, { releaseIds: [releaseId] });
}

test("a payout without approval for a day alerts staff, counted from the start of that wait, and blocks no payout", async () => {
  const waitsTooLong = async (ms: number) => {
    const later = {
      ...world.ctx,
      now: () => world.ctx.now() + ms,
      realNow: () => world.ctx.realNow() + ms,
    };
    return (await invariantFindings(later))
      .find(({ name }) => name === "payouts_approved")
      ?.rows.map(({ id }) => id);
  };
  expect(await waitsTooLong(DAY_MS + MINUTE_MS)).toEqual([payoutId]);
  expect(isPayoutBlocking("payouts_approved")).toBe(false);
  // Requested three days ago, and the hold notification is less than a day old in real time.
  await world.advance(3 * DAY_MS);
  expect(await waitsTooLong(0)).toEqual([]);
  await approve(carla.id);
  expect(await waitsTooLong(DAY_MS + MINUTE_MS)).toEqual([]);
  world.queued.splice(0);
});
