import type { Context } from "#app/domain/context.ts";
import type { Cents } from "#app/domain/money.ts";
import { chargeByProviderId } from "#app/domain/payments/queries.server.ts";
import type { PaymentProvider } from "#app/domain/payments/schema.ts";
import { settleDispute } from "#app/domain/payments/disputes/commands/settle-dispute.server.ts";
import { matchDisputes } from "#app/domain/reconciliation/queries/pairs.server.ts";
import { compareDispute } from "#app/domain/reconciliation/rules/compare.ts";
import type { Difference, ReconciledObject } from "#app/domain/reconciliation/schema.ts";
import { applyAnswer, orNone } from "./comparison.server.ts";
import type { Comparison, ExaminationResult } from "./comparison.server.ts";

/** Examines a dispute, as `examineObject` does. */
export async function examineDispute(
  ctx: Context,
  provider: PaymentProvider,
  subject: ReconciledObject,
): Promise<ExaminationResult> {
  const providerDispute = await orNone(provider.disputeById(subject.objectId));
  const look = async (): Promise<Comparison & { ourId: string | null }> => {
    const ours =
      (
        await matchDisputes(ctx, { provider: provider.name, items: [{ id: subject.objectId }] })
      ).get(subject.objectId) ?? null;
    return {
      difference: providerDispute
        ? compareDispute(ours, providerDispute)
        : unconfirmedDifference(ours),
      ours: ours && {
        status: ours.status,
        amountCents: ours.amountCents,
        backCents: 0,
        costCents: ours.costCents ?? null,
      },
      theirs: providerDispute && {
        status: providerDispute.status,
        amountCents: providerDispute.amountCents,
        backCents: 0,
        costCents: providerDispute.costCents ?? null,
      },
      ourId: ours?.id ?? null,
    };
  };
  const before = await look();
  // The disputed charge is ours even if the dispute cannot be booked: its seller is missing the
  // disputed money.
  const reference = providerDispute
    ? ((
        await chargeByProviderId(ctx, {
          provider: provider.name,
          providerChargeId: providerDispute.chargeId,
        })
      )?.id ?? null)
    : subject.reference;
  if (!before.difference || !providerDispute)
    return { subject: { ...subject, ourId: before.ourId, reference }, before, after: before };
  await applyAnswer(ctx, subject, () =>
    settleDispute(ctx, { provider: provider.name, providerDisputeId: subject.objectId }),
  );
  const after = await look();
  return { subject: { ...subject, ourId: after.ourId, reference }, before, after };
}

/**
 * Compares a dispute of ours that the provider does not know by id. If we count it as lost, the
 * provider still holds its money.
 */
const unconfirmedDifference = (
  ours: { status: string; amountCents: Cents } | null,
): Difference | null =>
  ours
    ? {
        kind: "theirs_missing",
        isMoney: true,
        gapCents: ours.status === "lost" ? -ours.amountCents : 0,
      }
    : null;
