import { commit } from "#app/db/client.server.ts";
import { RuleViolation } from "#app/db/errors.ts";
import type { Context } from "#app/domain/context.ts";
import type { BasisPoints } from "#app/domain/money.ts";
import { announce } from "#app/domain/outbox.server.ts";
import type { PaymentMessage } from "#app/domain/payments/schema/outbox.ts";
import {
  FeeInThePast,
  FeeRaiseTooSoon,
  FeeTooLate,
  FeeUnchanged,
  FeeConflictOfInterest,
} from "#app/domain/payments/errors.ts";
import { feeChangesStatement } from "#app/domain/payments/fees/queries.server.ts";
import { feeAt, feeChangeProblem } from "#app/domain/payments/fees/rules.ts";
import type { FeeChange } from "#app/domain/payments/fees/rules.ts";
import { feeOverrides } from "#drizzle/schema/payments.ts";

/**
 * Changes a creator's fee from a São Paulo day on, in basis points; null restores the platform's
 * fee. Earlier sales keep their fee. The creator is notified. A later change for the same day
 * replaces this one. Refuses FeeInThePast, FeeUnchanged, FeeRaiseTooSoon (thirty days), FeeTooLate
 * (a year), and FeeConflictOfInterest.
 *
 * Invariant: no fee is set by the page's owner, or by anyone in its team at that moment. The
 * database refuses it by itself (`fee_overrides_insert`).
 */
export async function changeCreatorFee(
  ctx: Context,
  {
    creatorId,
    basisPoints,
    startsAt,
    note,
    moderatorId,
  }: FeeChange & { creatorId: string; note: string; moderatorId: string },
): Promise<void> {
  const changes = await feeChangesStatement(ctx, { creatorId });
  const platform = ctx.settings.feeBasisPoints;
  const to: BasisPoints = basisPoints ?? platform;
  const from = feeAt(changes, platform, startsAt);
  const problem = feeChangeProblem({ from, to, startsAt, now: ctx.now() });
  if (problem === "past") throw new FeeInThePast();
  if (problem === "too_late") throw new FeeTooLate();
  if (problem === "same") throw new FeeUnchanged();
  if (problem === "raise_too_soon") throw new FeeRaiseTooSoon();
  const id = ctx.newId();
  const outboxId = `fee:${id}:changed`;
  try {
    await commit(ctx.db, [
      ctx.db.insert(feeOverrides).values({
        id,
        creatorId,
        basisPoints,
        startsAt,
        note,
        setBy: moderatorId,
        createdAt: ctx.now(),
      }),
      announce<PaymentMessage>(ctx, outboxId, {
        type: "fee.changed",
        creatorId,
        basisPoints: to,
        startsAt,
      }),
    ]);
  } catch (error) {
    throw error instanceof RuleViolation && error.rule === "own_fee"
      ? new FeeConflictOfInterest()
      : error;
  }
  await ctx.queues.notifications.send({ version: 1, type: "outbox.deliver", id: outboxId });
}
