import type { Context } from "#app/domain/context.ts";
import type { Cents } from "#app/domain/money.ts";
import type { PaymentProvider, ProviderPixMandate } from "#app/domain/payments/schema.ts";
import { matchMandates } from "#app/domain/reconciliation/queries/mandate-pairs.server.ts";
import { compareMandate } from "#app/domain/reconciliation/rules/compare.ts";
import type { DifferenceSide, ReconciledObject } from "#app/domain/reconciliation/schema.ts";
import { settleMandate } from "#app/domain/subscriptions/pix-mandates/commands/settle-mandate.server.ts";
import { applyAnswer, orNone } from "./comparison.server.ts";
import type { Comparison, ExaminationResult } from "./comparison.server.ts";

/** Examines a Pix mandate, as `examineObject` does. */
export async function examineMandate(
  ctx: Context,
  provider: PaymentProvider,
  subject: ReconciledObject,
): Promise<ExaminationResult> {
  const ask = () => orNone(provider.recurringPixById(subject.objectId));
  const providerMandate = await ask();
  const item = {
    id: subject.objectId,
    reference: subject.ourId ?? providerMandate?.reference ?? subject.reference,
  };
  const look = async (
    theirs: ProviderPixMandate | null,
  ): Promise<Comparison & { ourId: string | null }> => {
    const row =
      (await matchMandates(ctx, { provider: provider.name, items: [item] })).get(item.id) ?? null;
    // A second mandate under a reference that already has one: its payer agreed twice.
    const ours = row?.providerId && row.providerId !== item.id ? null : row;
    return {
      difference: compareMandate(ours, theirs),
      ours: ours && agreedSide(ours),
      theirs: theirs && agreedSide(theirs),
      ourId: ours?.id ?? null,
    };
  };
  const before = await look(providerMandate);
  const whole = { ...subject, ourId: before.ourId, reference: item.reference };
  if (!before.difference || before.ourId === null || !providerMandate)
    return { subject: whole, before, after: before };
  const mandateId = before.ourId;
  await applyAnswer(ctx, subject, () => settleMandate(ctx, { mandateId }));
  return { subject: whole, before, after: await look(await ask()) };
}

const agreedSide = ({
  status,
  amountCents,
}: {
  status: string;
  amountCents: Cents | null;
}): DifferenceSide => ({ status, amountCents: amountCents ?? 0, backCents: 0 });
