import { and, eq, sql } from "drizzle-orm";
import { commit, mustChangeOne } from "#app/db/client.server.ts";
import { StaleWrite } from "#app/db/errors.ts";
import type { Context } from "#app/domain/context.ts";
import { postingStatements } from "#app/domain/ledger/commands.server.ts";
import { payoutFailed } from "#app/domain/ledger/rules/payouts.ts";
import { retryOnConflict } from "#app/db/retry-on-conflict.ts";
import { payoutRow } from "#app/domain/payouts/queries.server.ts";
import { copyRequestersStatement } from "#app/domain/payouts/holds/commands/waits.server.ts";
import { canStillBeSent } from "#app/domain/payouts/sending/queries/payouts-to-cancel.server.ts";
import {
  HELD_BEFORE_SENDING_CODE,
  canReverseClaim,
} from "#app/domain/payouts/holds/rules/holds.ts";
import type { Payout } from "#app/domain/payouts/schema.ts";
import { payouts } from "#drizzle/schema/payouts.ts";

/**
 * Records that the provider is about to be asked to send a claimed payout. Returns whether it may
 * be asked.
 *
 * A hold, a ban or a rejection of documents written before this row stops the payout; one written
 * later is too late. If the answer is lost, the row says that the provider must be asked about this
 * payout.
 *
 * INVARIANT: `unsureSince` is never later than the first call with an unknown outcome. Of two
 * workers that start the first call at once, one is refused.
 */
export async function authorizeSend(ctx: Context, payout: Payout): Promise<boolean> {
  const free = and(
    eq(payouts.id, payout.id),
    eq(payouts.status, "claimed"),
    sql`${payouts.unsureSince} IS ${payout.unsureSince}`,
    canStillBeSent(payout),
  );
  const now = ctx.now();
  try {
    await commit(ctx.db, [
      mustChangeOne(
        ctx.db
          .update(payouts)
          .set({
            sendAskedAt: now,
            unsureSince: payout.unsureSince ?? now,
            waitsFor: null,
            waitsUntil: null,
            failureCode: null,
          })
          .where(free),
      ),
    ]);
    return true;
  } catch (error) {
    if (!(error instanceof StaleWrite)) throw error;
    ctx.log("payouts.not_set_off", { payoutId: payout.id });
    return false;
  }
}

/**
 * Reverses a claimed payout that may no longer leave and that its provider does not have
 * (`settlePayout` asked).
 *
 * The money is available again. A new requested payout takes its place; its claim holds it and
 * notifies the creator of the reason. It needs a new approval. A banned creator gets none. Does
 * nothing while a call may still arrive (`canReverseClaim`), nor a second time. Source:
 * docs/decisions/money/claim-a-payout-only-when-nothing-holds-it.md.
 */
export async function cancelClaimedPayout(
  ctx: Context,
  { payoutId, isBanned }: { payoutId: string; isBanned: boolean },
): Promise<void> {
  let insteadId: string | null = null;
  await retryOnConflict(async () => {
    insteadId = null;
    const payout = await payoutRow(ctx, { payoutId });
    const now = ctx.now();
    if (payout?.status !== "claimed" || !canReverseClaim(payout, now)) return;
    const { creatorId, batchId, pixKeyKind, pixKey, provider, actedBy, requestedAt } = payout;
    const id = ctx.newId();
    const asRead = and(
      eq(payouts.id, payoutId),
      eq(payouts.status, "claimed"),
      sql`${payouts.sendAskedAt} IS ${payout.sendAskedAt}`,
    );
    await commit(ctx.db, [
      mustChangeOne(
        ctx.db
          .update(payouts)
          .set({
            status: "failed",
            failureCode: HELD_BEFORE_SENDING_CODE,
            settledAt: now,
            askedAt: now,
            waitsFor: null,
            waitsUntil: null,
          })
          .where(asRead),
      ),
      ...postingStatements(ctx, payoutFailed({ ...payout, payoutId })),
      ...(isBanned
        ? []
        : [
            ctx.db.insert(payouts).values({
              id,
              creatorId,
              batchId,
              amountCents: 0,
              status: "requested",
              pixKeyKind,
              pixKey,
              provider,
              requestedAt,
              actedBy,
            }),
            copyRequestersStatement(ctx, { from: payoutId, to: id }),
          ]),
    ]);
    ctx.log("payouts.stopped", { payoutId });
    insteadId = isBanned ? null : id;
  });
  if (insteadId) await ctx.queues.payouts.send({ version: 1, type: "payout.claim", id: insteadId });
}
