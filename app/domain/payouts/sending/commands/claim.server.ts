import { and, eq, sql } from "drizzle-orm";
import type { BatchWrite } from "#app/db/client.server.ts";
import { commit, mustChangeOne } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { postingStatements } from "#app/domain/ledger/commands.server.ts";
import { payoutClaimed } from "#app/domain/ledger/rules/payouts.ts";
import { retryOnConflict } from "#app/db/retry-on-conflict.ts";
import { ProviderUnauthorized } from "#app/domain/payments/errors.ts";
import { PROVIDER_KEY_REJECTED } from "#app/domain/payments/providers/rules/transfer-faults.ts";
import { payoutProviderFor } from "#app/domain/payments/providers/rules/providers.ts";
import type { PaymentProvider } from "#app/domain/payments/schema.ts";
import type { Cents } from "#app/domain/money.ts";
import { loadPayoutSnapshot } from "#app/domain/payouts/sending/queries/payout-snapshot.server.ts";
import type { PayoutSnapshot } from "#app/domain/payouts/sending/queries/payout-snapshot.server.ts";
import type { Instant } from "#app/domain/time.ts";
import { payoutHolds, payouts, withdrawalMethods } from "#drizzle/schema/payouts.ts";
import { payoutRow } from "#app/domain/payouts/queries.server.ts";
import {
  claimedCents,
  payoutEnd,
  payoutHold,
  approvalSurvivesHold,
} from "#app/domain/payouts/holds/rules/holds.ts";
import type { PayoutEndReason } from "#app/domain/payouts/holds/rules/holds.ts";
import { minimumPayoutCents } from "#app/domain/payouts/rules.ts";
import {
  isSameDestination,
  sendableAt,
  transferCapabilityFor,
} from "#app/domain/payouts/destinations/rules/destinations.ts";
import { BALANCE_RECHECK_MS, PROVIDER_RETRY_MS } from "#app/domain/payouts/holds/rules/waits.ts";
import type { AccountOwner, Payout, PayoutWaitReason } from "#app/domain/payouts/schema.ts";
import type { DestinationKind } from "#app/domain/payouts/schema/destinations.ts";
import { recordFailure } from "#app/domain/retry-backoff/commands.server.ts";
import { checkKeyOwnerAtClaim } from "#app/domain/payouts/key-owners/commands/key-owners.server.ts";
import type { KeyOwnerCheck } from "#app/domain/payouts/key-owners/commands/key-owners.server.ts";
import { endNotifications, holdNotifications } from "./claim-notifications.server.ts";
import type { HeldPayout } from "./claim-notifications.server.ts";
import { hasProviderBalance } from "#app/domain/payouts/holds/commands/waits.server.ts";

type PayoutClaim = { payoutId: string } & Partial<Pick<HeldPayout, "staffIds">>;

/**
 * Claims a payout: moves the available balance into transit, for the creator's present destination,
 * before any call to the provider.
 *
 * Does nothing to a payout that is neither requested nor held, nor while a money invariant is
 * broken. A payout that may not leave is held with its reason, the creator is notified once, and
 * the cron checks it again. One that may leave waits for money at the provider. To a Pix key it
 * also waits for the key owner (`checkKeyOwnerAtClaim`), and to a bank account for bank hours. A
 * payout with nothing left to pay, or with an end (`payoutEnd`), is canceled.
 *
 * INVARIANT: a payout is claimed only while its creator's documents are approved and name the owner
 * of the destination (`keyVerdict`). No moderator holds the creator's payouts, and no change of key
 * waits. The amount is within the limit, or was approved for this destination by somebody who
 * neither receives nor requested it.
 *
 * Until the claim, the row stores the destination that was last checked. Staff review shows it, and
 * an approval is for it alone. Source: domain rules, "Payouts";
 * docs/decisions/money/claim-a-payout-only-when-nothing-holds-it.md.
 */
export async function claimPayout(
  ctx: Context,
  { payoutId, staffIds = async () => [] }: PayoutClaim,
): Promise<void> {
  const notificationIds = await retryOnConflict(() => claimOnce(ctx, { payoutId, staffIds }));
  for (const id of notificationIds)
    await ctx.queues.notifications.send({ version: 1, type: "outbox.deliver", id });
}

/** Decides and commits one attempt. Returns the ids of the notifications that it announced. */
async function claimOnce(
  ctx: Context,
  { payoutId, staffIds }: Required<PayoutClaim>,
): Promise<string[]> {
  const payout = await payoutRow(ctx, { payoutId });
  if (!payout || (payout.status !== "requested" && payout.status !== "held")) return [];
  const snapshot = await loadPayoutSnapshot(ctx, { creatorId: payout.creatorId });
  if (snapshot.isHeldByBooks) {
    ctx.log("payouts.held_by_books", { payoutId });
    return [];
  }
  const now = ctx.now();
  const { method } = snapshot;
  const end = payoutEnd({
    ...snapshot,
    hasMethod: method !== null,
    leastCents: minimumPayoutCents({ ...snapshot, isClosing: snapshot.isLeaving, now }),
    now,
  });
  if (end || !method)
    return await cancelPayout(ctx, payout, { failureCode: end ?? "nothing_available", now });
  const isSeen = isSameDestination(payout, { kind: method.pixKeyKind, key: method.pixKey });
  const approvedCents = isSeen ? payout.approvedCents : null;
  const place = await ownerOfPlace(ctx, payout, snapshot);
  const hold = payoutHold({
    ...snapshot,
    keyVerdict: place.verdict,
    methodHoldUntil: method.holdUntil,
    approvedCents,
    approvalLimitCents: ctx.settings.payoutApprovalCents,
    now,
  });
  const claimable = { payout, snapshot, method, isSeen, now };
  if (hold) return await holdPayout(ctx, { ...claimable, hold, staffIds });
  await sendOrWait(ctx, { ...claimable, place, approvedCents });
  return [];
}

/**
 * A payout with what was read for its claim at `now`. `isSeen`: its row already stores the
 * destination.
 */
type ClaimablePayout = {
  payout: Payout;
  snapshot: PayoutSnapshot;
  method: NonNullable<PayoutSnapshot["method"]>;
  isSeen: boolean;
  now: Instant;
};

/** Cancels a payout that has nothing left to pay, or an end. */
async function cancelPayout(
  ctx: Context,
  payout: Payout,
  { failureCode, now }: { failureCode: PayoutEndReason; now: Instant },
): Promise<string[]> {
  const notifications = endNotifications(ctx, payout, failureCode);
  await commit(ctx.db, [
    mustChangeOne(
      ctx.db
        .update(payouts)
        .set({
          status: "canceled",
          waitsFor: null,
          waitsUntil: null,
          failureCode,
          settledAt: now,
        })
        .where(asRead(payout)),
    ),
    ...notifications.map(({ write }) => write),
  ]);
  return notifications.map(({ id }) => id);
}

/** Holds a payout that may not leave. Writes nothing when it is held so already. */
async function holdPayout(
  ctx: Context,
  {
    payout,
    snapshot,
    method: { pixKeyKind, pixKey },
    isSeen,
    hold,
    staffIds,
  }: ClaimablePayout & HeldPayout,
): Promise<string[]> {
  const isHeldAlready =
    isSeen &&
    payout.status === "held" &&
    payout.heldReason === hold.reason &&
    payout.heldUntil === hold.until;
  if (isHeldAlready) return [];
  const notifications = await holdNotifications(ctx, { payout, hold, snapshot, staffIds });
  const held = {
    status: "held",
    ...FREE,
    heldReason: hold.reason,
    heldUntil: hold.until,
    pixKeyKind,
    pixKey,
    ...(isSeen && approvalSurvivesHold(hold.reason) ? {} : NO_CONSENT),
  };
  await commit(ctx.db, [
    mustChangeOne(ctx.db.update(payouts).set(held).where(asRead(payout))),
    ...notifications.map(({ write }) => write),
  ]);
  return notifications.map(({ id }) => id);
}

/** Claims a payout that may leave, unless it waits for the key owner, bank hours or money. */
async function sendOrWait(
  ctx: Context,
  {
    place,
    approvedCents,
    ...claimable
  }: ClaimablePayout & { place: KeyOwnerCheck; approvedCents: Cents | null },
): Promise<void> {
  const { payout, snapshot, method } = claimable;
  const { pixKeyKind } = method;
  const amountCents = claimedCents({ availableCents: snapshot.availableCents, approvedCents });
  const provider = payoutProviderFor(ctx.payments, transferCapabilityFor(pixKeyKind));
  const wait =
    place.verdict === "unasked"
      ? { waitsFor: "key_owner" as const, waitsUntil: place.waitsUntil }
      : await waitOf(ctx, { pixKeyKind, provider, amountCents });
  if (wait || !provider) return await waiting(ctx, payout, wait);
  await commit(ctx.db, claimStatements(ctx, claimable, { provider: provider.name, amountCents }));
}

/** Moves the amount into transit, for the destination that was read. */
function claimStatements(
  ctx: Context,
  { payout, snapshot, method, isSeen, now }: ClaimablePayout,
  { provider, amountCents }: { provider: PaymentProvider["name"]; amountCents: Cents },
): BatchWrite[] {
  const { pixKeyKind, pixKey } = method;
  return [
    mustChangeOne(
      ctx.db
        .update(payouts)
        .set({
          status: "claimed",
          ...FREE,
          ...(isSeen ? {} : NO_CONSENT),
          amountCents,
          pixKeyKind,
          pixKey,
          provider,
          ...ownerOf(pixKeyKind, snapshot),
          claimedAt: now,
          askedAt: now,
        })
        .where(and(asRead(payout), mayLeave(payout, method.updatedAt))),
    ),
    // Posted at the instant of the claim: what is posted later did not leave with it.
    ...postingStatements(
      { ...ctx, now: () => now },
      payoutClaimed({ ...payout, payoutId: payout.id, amountCents }),
    ),
  ];
}

/**
 * Looks up the key owner only if nobody holds the payouts and the documents are approved. Otherwise
 * the owner decides nothing.
 */
async function ownerOfPlace(
  ctx: Context,
  { creatorId }: Payout,
  snapshot: PayoutSnapshot,
): Promise<KeyOwnerCheck> {
  return snapshot.isHeldByStaff || !snapshot.documentsApproved
    ? { verdict: "own" }
    : await checkKeyOwnerAtClaim(ctx, { creatorId, snapshot });
}

/** Columns of a payout that nothing holds any more. */
const FREE = {
  heldReason: null,
  heldUntil: null,
  waitsFor: null,
  waitsUntil: null,
  failureCode: null,
} as const;

const NO_CONSENT = { approvedBy: null, approvedCents: null } as const;

/** Returns the owner of a bank account, which the bank compares; null for a Pix key. */
const ownerOf = (kind: DestinationKind, { owner, ownerName }: PayoutSnapshot): AccountOwner =>
  kind === "bank_account"
    ? { ownerName, ownerTaxId: owner?.taxId ?? null }
    : { ownerName: null, ownerTaxId: null };

type PayoutWait = { waitsFor: PayoutWaitReason; waitsUntil: Instant; failureCode?: string };
type PayoutTransfer = {
  pixKeyKind: DestinationKind;
  provider: PaymentProvider | null;
  amountCents: Cents;
};

/**
 * Decides what a payout that may leave waits for, or null: the next bank hours, money at the
 * provider, or the provider to accept our API key again. Throws ProviderUnclear.
 */
async function waitOf(
  ctx: Context,
  { pixKeyKind, provider, amountCents }: PayoutTransfer,
): Promise<PayoutWait | null> {
  const now = ctx.now();
  const leaves = sendableAt(pixKeyKind, now);
  if (leaves > now) return { waitsFor: "business_day", waitsUntil: leaves };
  try {
    return provider && !(await hasProviderBalance(provider, amountCents))
      ? { waitsFor: "balance", waitsUntil: now + BALANCE_RECHECK_MS }
      : null;
  } catch (error) {
    if (error instanceof ProviderUnauthorized)
      return {
        waitsFor: "provider",
        waitsUntil: now + PROVIDER_RETRY_MS,
        failureCode: PROVIDER_KEY_REJECTED,
      };
    throw error;
  }
}

/**
 * Leaves the payout requested, with what it waits for. If no provider can send it, it is retried
 * later.
 */
async function waiting(ctx: Context, payout: Payout, wait: PayoutWait | null): Promise<void> {
  ctx.log("payouts.waits", { payoutId: payout.id, because: wait?.waitsFor ?? "no_provider" });
  if (!wait) return await recordFailure(ctx, { subjectId: payout.id });
  await commit(ctx.db, [
    mustChangeOne(
      ctx.db
        .update(payouts)
        .set({ status: "requested", ...FREE, ...wait })
        .where(asRead(payout)),
    ),
  ]);
}

/**
 * Version guard: matches the row only if it is unchanged since the decision. Otherwise the decision
 * is made again.
 */
const asRead = (payout: Payout) =>
  and(
    eq(payouts.id, payout.id),
    eq(payouts.status, payout.status),
    sql`${payouts.heldReason} IS ${payout.heldReason}`,
    sql`${payouts.approvedCents} IS ${payout.approvedCents}`,
  );

/**
 * SQL condition checked in the commit: the method is unchanged and nobody holds the payouts, which
 * could change after the read.
 */
const mayLeave = (
  { creatorId }: Payout,
  methodAt: number,
) => sql`EXISTS (SELECT 1 FROM ${withdrawalMethods} WHERE ${withdrawalMethods.creatorId} = ${creatorId} AND ${withdrawalMethods.updatedAt} = ${methodAt})
  AND NOT EXISTS (SELECT 1 FROM ${payoutHolds} WHERE ${payoutHolds.creatorId} = ${creatorId} AND ${payoutHolds.endedAt} IS NULL)`;
