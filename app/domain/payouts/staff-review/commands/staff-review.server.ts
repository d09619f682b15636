import { and, eq, inArray, isNull } from "drizzle-orm";
import type { BatchWrite } from "#app/db/client.server.ts";
import { commit, mustChangeOne } from "#app/db/client.server.ts";
import { StaleWrite, UniqueViolation } from "#app/db/errors.ts";
import type { Context } from "#app/domain/context.ts";
import { DocumentModeratorRequired } from "#app/domain/documents/errors.ts";
import { isModerator } from "#app/domain/documents/queries.server.ts";
import type { Cents } from "#app/domain/money.ts";
import { isPartyToMoney } from "#app/domain/identity/colleagues/queries.server.ts";
import { countAction } from "#app/domain/rate-limits/commands.server.ts";
import { announce } from "#app/domain/outbox.server.ts";
import type { PayoutMessage } from "#app/domain/payouts/schema/outbox.ts";
import { asProviderUnavailable } from "#app/domain/payments/providers/commands/provider-unavailable.server.ts";
import { DAY_MS, HOUR_MS } from "#app/domain/time.ts";
import { payoutActs, payouts } from "#drizzle/schema/payouts.ts";
import {
  holdMessageIds,
  holdStatements,
  holdReleasedStatements,
} from "#app/domain/payouts/holds/commands/holds.server.ts";
import { requestPayout } from "#app/domain/payouts/commands.server.ts";
import {
  PayoutsAlreadyHeld,
  PayoutsNotHeld,
  NotHeldForApproval,
  PayoutApprovalConflict,
  PayoutReleaseConflict,
  PayoutNotSentToProvider,
  PayoutNotFailed,
  PayoutNotFound,
  PayoutInProgress,
  PayoutPersonNotFound,
  TooManyPayoutCancels,
} from "#app/domain/payouts/errors.ts";
import { payoutRow } from "#app/domain/payouts/queries.server.ts";
import {
  isRequestedByModerator,
  openHoldOfCreator,
  openPayoutOfCreator,
} from "#app/domain/payouts/staff-review/queries/staff-review.server.ts";
import {
  DESTINATION_SIGNATURE_PURPOSE,
  destinationSigningText,
} from "#app/domain/payouts/staff-review/queries/staff-review.server.ts";
import { canApprovePayout } from "#app/domain/payouts/holds/rules/holds.ts";
import type { Payout } from "#app/domain/payouts/schema.ts";
import { payoutForReview } from "./review-payout.server.ts";
import { sendPayout } from "#app/domain/payouts/sending/commands/send.server.ts";
import { settlePayout } from "#app/domain/payouts/sending/commands/settle.server.ts";

type StaffPayoutAction = { payoutId: string; moderatorId: string };

/**
 * Approves sending up to `seenCents` centavos, the amount that the moderator saw. What arrives
 * meanwhile goes with the next payout.
 *
 * The approval is for the destination that they saw (`seenPlace`, written by
 * `destinationSignature`). It is refused if the destination has changed, and a later change
 * withdraws it. Records who approved. Refuses DocumentModeratorRequired, PayoutNotFound,
 * PayoutApprovalConflict (the creator, a member of their team who sees the money, or whoever
 * requested it, in staff review too), NotHeldForApproval.
 */
export async function approvePayout(
  ctx: Context,
  {
    payoutId,
    moderatorId,
    seenCents,
    seenPlace,
  }: StaffPayoutAction & { seenCents: Cents; seenPlace: string },
): Promise<void> {
  const payout = await payoutForReview(ctx, { payoutId, moderatorId });
  if (
    !canApprovePayout(moderatorId, payout) ||
    (await isRequestedByModerator(ctx, { payoutId, moderatorId })) ||
    (await isPartyToMoney(ctx, { creatorId: payout.creatorId, moderatorId }))
  )
    throw new PayoutApprovalConflict();
  if (
    !(await ctx.signer.isGenuine(
      DESTINATION_SIGNATURE_PURPOSE,
      destinationSigningText(payout),
      seenPlace,
    ))
  )
    throw new NotHeldForApproval();
  const isWaiting = and(
    eq(payouts.id, payoutId),
    eq(payouts.status, "held"),
    eq(payouts.heldReason, "approval"),
    isNull(payouts.approvedCents),
    eq(payouts.pixKeyKind, payout.pixKeyKind),
    eq(payouts.pixKey, payout.pixKey),
  );
  await elseRefused(new NotHeldForApproval(), () =>
    commit(ctx.db, [
      mustChangeOne(
        ctx.db
          .update(payouts)
          .set({ approvedBy: moderatorId, approvedCents: seenCents })
          .where(isWaiting),
      ),
      noted(ctx, { payoutId, moderatorId, act: "approve" }),
    ]),
  );
  await ctx.queues.payouts.send({ version: 1, type: "payout.claim", id: payoutId });
}

/**
 * The creator whose payouts are meant: by one of their payouts, or by their id if they never
 * requested one.
 */
type PayoutHolder = { moderatorId: string } & ({ payoutId: string } | { creatorId: string });

/**
 * Holds every payout of a person until a moderator releases them, future ones too. The person reads
 * `reason`, also by e-mail.
 *
 * A claimed payout that was not sent is reversed (`cancelClaimedPayout`). One that the provider has
 * continues: its money already left. Refuses DocumentModeratorRequired, PayoutNotFound,
 * PayoutPersonNotFound, PayoutsAlreadyHeld.
 */
export async function holdPayoutsOf(
  ctx: Context,
  { reason, ...whose }: PayoutHolder & { reason: string },
): Promise<void> {
  const { moderatorId } = whose;
  const { creatorId, payoutId } = await personToStaffReview(ctx, whose);
  const holdId = ctx.newId();
  await elseRefused(new PayoutsAlreadyHeld(), () =>
    commit(ctx.db, [
      ...holdStatements(ctx, { holdId, creatorId, reason, heldBy: moderatorId }),
      ...(payoutId ? [noted(ctx, { payoutId, moderatorId, act: "hold", note: reason })] : []),
    ]),
  );
  await ctx.queues.notifications.send({
    version: 1,
    type: "outbox.deliver",
    id: holdMessageIds(holdId).comes,
  });
  // A waiting payout shows the hold at once, instead of at the next run.
  if (payoutId) await ctx.queues.payouts.send({ version: 1, type: "payout.claim", id: payoutId });
}

/**
 * Releases the payouts of a person, and notifies them. Refuses DocumentModeratorRequired,
 * PayoutNotFound, PayoutPersonNotFound, PayoutReleaseConflict (the creator, or a member of their
 * team who sees the money), PayoutsNotHeld.
 */
export async function releasePayoutsOf(ctx: Context, whose: PayoutHolder): Promise<void> {
  const { moderatorId } = whose;
  const { creatorId, payoutId } = await personToStaffReview(ctx, whose);
  if (await isPartyToMoney(ctx, { creatorId, moderatorId })) throw new PayoutReleaseConflict();
  const hold = await openHoldOfCreator(ctx, { creatorId });
  if (!hold) throw new PayoutsNotHeld();
  await elseRefused(new PayoutsNotHeld(), () =>
    commit(ctx.db, [
      ...holdReleasedStatements(ctx, { holdId: hold.id, creatorId, endedBy: moderatorId }),
      ...(payoutId ? [noted(ctx, { payoutId, moderatorId, act: "release" })] : []),
    ]),
  );
  await ctx.queues.notifications.send({
    version: 1,
    type: "outbox.deliver",
    id: holdMessageIds(hold.id).ends,
  });
  if (payoutId) await ctx.queues.payouts.send({ version: 1, type: "payout.claim", id: payoutId });
}

/**
 * Returns the person, and the payout beside which the action is recorded: the one viewed, the open
 * one, or none.
 */
async function personToStaffReview(
  ctx: Context,
  whose: PayoutHolder,
): Promise<{ creatorId: string; payoutId: string | null }> {
  if ("payoutId" in whose)
    return { creatorId: (await payoutForReview(ctx, whose)).creatorId, payoutId: whose.payoutId };
  if (!(await isModerator(ctx, { personId: whose.moderatorId })))
    throw new DocumentModeratorRequired();
  const open = await openPayoutOfCreator(ctx, whose);
  if (!open) throw new PayoutPersonNotFound();
  return { creatorId: whose.creatorId, payoutId: open.payoutId };
}

/**
 * Cancels a payout that was not sent; its money never left the balance. The creator reads `reason`.
 * Refuses DocumentModeratorRequired, PayoutNotFound, PayoutInProgress.
 */
export async function cancelPayoutByStaff(
  ctx: Context,
  { payoutId, moderatorId, reason }: StaffPayoutAction & { reason: string },
): Promise<void> {
  const { creatorId } = await payoutForReview(ctx, { payoutId, moderatorId });
  const outboxId = `payout:${payoutId}:canceled`;
  await elseRefused(new PayoutInProgress(), () =>
    commit(ctx.db, [
      canceled(ctx, { payoutId, by: "staff" }),
      noted(ctx, { payoutId, moderatorId, act: "cancel", note: reason }),
      announce<PayoutMessage>(ctx, outboxId, {
        type: "payout.canceled",
        payoutId,
        creatorId,
        reason,
      }),
    ]),
  );
  await ctx.queues.notifications.send({ version: 1, type: "outbox.deliver", id: outboxId });
}

/** Limits of cancellation. Requesting and canceling notify people each time. */
const CANCEL_LIMITS = [
  { windowMs: HOUR_MS, limit: 5 },
  { windowMs: DAY_MS, limit: 15 },
] as const;

/**
 * Cancels a payout that `creatorId` or their team requested, while it was not sent. Refuses
 * PayoutNotFound, TooManyPayoutCancels and PayoutInProgress.
 */
export async function cancelPayout(
  ctx: Context,
  { payoutId, creatorId }: { payoutId: string; creatorId: string },
): Promise<void> {
  if ((await payoutRow(ctx, { payoutId }))?.creatorId !== creatorId) throw new PayoutNotFound();
  await countAction(
    ctx,
    { act: "cancel-payout", personId: creatorId, limits: CANCEL_LIMITS },
    (freeAt) => new TooManyPayoutCancels(freeAt),
  );
  await elseRefused(new PayoutInProgress(), () =>
    commit(ctx.db, [canceled(ctx, { payoutId, by: "creator" })]),
  );
}

/**
 * Requests another payout after a failed or returned one, of everything that is available now.
 * Refuses what `requestPayout` refuses, PayoutNotFailed, DocumentModeratorRequired,
 * PayoutNotFound.
 */
export async function retryPayout(
  ctx: Context,
  { payoutId, moderatorId }: StaffPayoutAction,
): Promise<{ payoutId: string }> {
  const payout = await payoutForReview(ctx, { payoutId, moderatorId });
  if (payout.status !== "failed" && payout.status !== "returned") throw new PayoutNotFailed();
  return await requestPayout(ctx, {
    creatorId: payout.creatorId,
    also: (madeId) =>
      [payoutId, madeId].map((id) => noted(ctx, { payoutId: id, moderatorId, act: "retry" })),
  });
}

/**
 * Asks the provider now about a claimed payout. One that never reached it is sent, under the same
 * key.
 *
 * Returns the payout as it is afterwards. Where it may not be sent now, perhaps nothing was asked.
 * Refuses DocumentModeratorRequired, PayoutNotFound, PayoutNotSentToProvider (nothing left yet, or
 * everything is known), ProviderUnavailable.
 */
export async function refreshPayout(
  ctx: Context,
  { payoutId, moderatorId }: StaffPayoutAction,
): Promise<Payout> {
  const payout = await payoutForReview(ctx, { payoutId, moderatorId });
  if (payout.status !== "claimed" && payout.status !== "sent") throw new PayoutNotSentToProvider();
  await commit(ctx.db, [noted(ctx, { payoutId, moderatorId, act: "ask" })]);
  await asProviderUnavailable(
    async () =>
      await (payout.status === "claimed"
        ? sendPayout(ctx, { payoutId })
        : settlePayout(ctx, { payoutId })),
  );
  return (await payoutRow(ctx, { payoutId })) ?? payout;
}

function canceled(
  ctx: Context,
  { payoutId, by }: { payoutId: string; by: "staff" | "creator" },
): BatchWrite {
  return mustChangeOne(
    ctx.db
      .update(payouts)
      .set({
        status: "canceled",
        failureCode: `canceled_by_${by}`,
        settledAt: ctx.now(),
        waitsFor: null,
        waitsUntil: null,
      })
      .where(and(eq(payouts.id, payoutId), inArray(payouts.status, ["requested", "held"]))),
  );
}

const noted = (
  ctx: Context,
  {
    note = "",
    ...act
  }: StaffPayoutAction & { act: (typeof payoutActs.$inferInsert)["act"]; note?: string },
): BatchWrite =>
  ctx.db.insert(payoutActs).values({ id: ctx.newId(), ...act, note, createdAt: ctx.now() });

async function elseRefused(refusal: Error, act: () => Promise<void>): Promise<void> {
  try {
    await act();
  } catch (error) {
    throw error instanceof StaleWrite || error instanceof UniqueViolation ? refusal : error;
  }
}
