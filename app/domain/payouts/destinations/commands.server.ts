import { and, eq, sql } from "drizzle-orm";
import { commit, mustChangeOne } from "#app/db/client.server.ts";
import type { BatchWrite } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import {
  commitDocuments,
  submitDocumentsStatements,
} from "#app/domain/documents/commands/submit.server.ts";
import type { Submission } from "#app/domain/documents/commands/submit.server.ts";
import { sellerTaxId } from "#app/domain/documents/rules.ts";
import { announce } from "#app/domain/outbox.server.ts";
import type { PayoutMessage } from "#app/domain/payouts/schema/outbox.ts";
import { payoutProviderFor } from "#app/domain/payments/providers/rules/providers.ts";
import {
  PixKeyMissing,
  BankPayoutsUnavailable,
  PixKeyNotYours,
  NoWithdrawalMethod,
} from "#app/domain/payouts/errors.ts";
import {
  loadPayoutSnapshot,
  withdrawalMethodOfCreator,
} from "#app/domain/payouts/sending/queries/payout-snapshot.server.ts";
import { METHOD_HOLD_MS } from "#app/domain/payouts/rules.ts";
import { isOthersDocument } from "#app/domain/payouts/destinations/rules/keys.ts";
import {
  isSameDestination,
  maskDestination,
  transferCapabilityFor,
} from "#app/domain/payouts/destinations/rules/destinations.ts";
import { keyPrefetchFrom } from "#app/domain/payouts/key-owners/rules/key-prefetch.ts";
import type { Destination, PixKey } from "#app/domain/payouts/schema/destinations.ts";
import type { Instant } from "#app/domain/time.ts";
import { withdrawalMethods } from "#drizzle/schema/payouts.ts";
import { lookUpTypedKeyOwner } from "#app/domain/payouts/key-owners/commands/key-owners.server.ts";

/**
 * Saves a seller's identity and the destination of their money, in one batch.
 *
 * A changed key notifies the seller. Without a key (null) the current destination stays, with its
 * schedule and its wait. Refuses PixKeyMissing where there is no destination, PixKeyNotYours, and
 * what `lookUpTypedKeyOwner` and `submitDocumentsStatements` refuse. Source: domain rules,
 * "Documents".
 */
export async function submitSellerDetails(
  ctx: Context,
  { pixKey, ...submission }: Submission & { pixKey: PixKey | null },
): Promise<void> {
  const { personId } = submission;
  const before = await withdrawalMethodOfCreator(ctx, { creatorId: personId });
  const current = before && { kind: before.pixKeyKind, key: before.pixKey };
  const place = pixKey ?? current;
  if (!place) throw new PixKeyMissing();
  if (isOthersDocument(place, sellerTaxId(submission))) throw new PixKeyNotYours();
  const documents = await submitDocumentsStatements(ctx, submission);
  const owner = {
    owner: sellerTaxId(submission),
    ownerName: submission.company?.name ?? submission.fullName,
  };
  if (!pixKey) return await commitDocuments(ctx, { submission, writes: documents });
  const ownerWrites = isSameDestination(before, pixKey)
    ? []
    : await lookUpTypedKeyOwner(ctx, { creatorId: personId, place: pixKey, ...owner });
  const isAnother = before !== null && !isSameDestination(before, pixKey);
  const now = ctx.now();
  const askOwnerAt = keyPrefetchFrom(pixKey, { isLookedUp: ownerWrites.length > 0, now });
  const outboxId = `withdrawal:${ctx.newId()}:changed`;
  const writes = [
    ...documents,
    ...ownerWrites,
    ...(isAnother
      ? [
          changedAnnounced(ctx, outboxId, {
            creatorId: personId,
            to: pixKey,
            holdUntil: now + METHOD_HOLD_MS,
          }),
        ]
      : []),
    ctx.db
      .insert(withdrawalMethods)
      .values({
        creatorId: personId,
        pixKeyKind: pixKey.kind,
        pixKey: pixKey.key,
        schedule: "weekly",
        holdUntil: null,
        createdAt: now,
        updatedAt: now,
        askOwnerAt,
      })
      .onConflictDoUpdate({
        target: withdrawalMethods.creatorId,
        set: {
          pixKeyKind: pixKey.kind,
          pixKey: pixKey.key,
          holdUntil: heldOnChange(pixKey, now + METHOD_HOLD_MS),
          updatedAt: now,
          askOwnerAt,
        },
      }),
  ];
  await commitDocuments(ctx, { submission, writes });
  if (isAnother)
    await ctx.queues.notifications.send({ version: 1, type: "outbox.deliver", id: outboxId });
}

/** SQL of the hold after a change of key. Submitting the same key again holds nothing. */
function heldOnChange({ kind, key }: PixKey, holdUntil: Instant) {
  return sql`CASE WHEN ${withdrawalMethods.pixKeyKind} = ${kind} AND ${withdrawalMethods.pixKey} = ${key} THEN ${withdrawalMethods.holdUntil} ELSE CAST(${holdUntil} AS INTEGER) END`;
}

/**
 * Changes the destination of a creator's payouts to another Pix key or a bank account.
 *
 * Notifies the creator, and payouts wait 24 hours. Refuses PixKeyNotYours, BankPayoutsUnavailable,
 * NoWithdrawalMethod (documents come first), and what `lookUpTypedKeyOwner` refuses. Nobody types
 * the owner of an account: each claim takes the owner of the approved documents, and the bank
 * compares it.
 */
export async function changeWithdrawalMethod(
  ctx: Context,
  { creatorId, to }: { creatorId: string; to: Destination },
): Promise<void> {
  const snapshot = await loadPayoutSnapshot(ctx, { creatorId });
  if (!snapshot.method) throw new NoWithdrawalMethod();
  const owner = snapshot.documentsApproved ? snapshot : snapshot.sent;
  if (isOthersDocument(to, owner.owner)) throw new PixKeyNotYours();
  if (isSameDestination(snapshot.method, to)) return;
  if (
    to.kind === "bank_account" &&
    !payoutProviderFor(ctx.payments, transferCapabilityFor(to.kind))
  )
    throw new BankPayoutsUnavailable();
  const keyOwner = await lookUpTypedKeyOwner(ctx, {
    creatorId,
    place: to,
    owner: owner.owner,
    ownerName: owner.ownerName,
  });
  const now = ctx.now();
  const holdUntil = now + METHOD_HOLD_MS;
  const outboxId = `withdrawal:${ctx.newId()}:changed`;
  await commit(ctx.db, [
    mustChangeOne(
      ctx.db
        .update(withdrawalMethods)
        .set({
          pixKeyKind: to.kind,
          pixKey: to.key,
          holdUntil,
          updatedAt: now,
          askOwnerAt: keyPrefetchFrom(to, { isLookedUp: keyOwner.length > 0, now }),
        })
        .where(
          and(
            eq(withdrawalMethods.creatorId, creatorId),
            eq(withdrawalMethods.updatedAt, snapshot.method.updatedAt),
          ),
        ),
    ),
    ...keyOwner,
    changedAnnounced(ctx, outboxId, { creatorId, to, holdUntil }),
  ]);
  await ctx.queues.notifications.send({ version: 1, type: "outbox.deliver", id: outboxId });
}

function changedAnnounced(
  ctx: Context,
  outboxId: string,
  { to: { kind, key }, ...change }: { creatorId: string; to: Destination; holdUntil: Instant },
): BatchWrite {
  return announce<PayoutMessage>(ctx, outboxId, {
    type: "withdrawal.changed",
    pixKeyMasked: maskDestination(kind, key),
    isAccount: kind === "bank_account",
    ...change,
  });
}
