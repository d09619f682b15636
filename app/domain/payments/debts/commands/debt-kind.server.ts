import type { Cents } from "#app/domain/money.ts";
import { announce } from "#app/domain/outbox.server.ts";
import type { PaymentMessage } from "#app/domain/payments/schema/outbox.ts";
import {
  loadDebtPayment,
  creatorOwedCents,
} from "#app/domain/payments/debts/queries/debts.server.ts";
import { chargeStep } from "#app/domain/payments/rules.ts";
import type { PurchaseHandler } from "#app/domain/payments/purchase-handlers/commands.server.ts";

/**
 * Handler of debt payments by creators. A payment always counts, and pays what is owed at that
 * moment. Nothing is bought, and nothing ends.
 */
export const debtHandler: PurchaseHandler<{ owedCents: Cents } | null> = {
  async settlement(ctx, charge, { providerCharge, refusedCode }, snapshot) {
    if (refusedCode !== undefined)
      return { kind: "progress", status: "failed", failureCode: refusedCode, extraWrites: [] };
    const step = chargeStep(charge, providerCharge, ctx.now());
    if (step.kind === "nothing") return step;
    if (step.kind === "progress")
      return {
        kind: "progress",
        status: step.status,
        failureCode: step.failureCode,
        extraWrites: [],
      };
    const owedCents = snapshot?.owedCents ?? (await creatorOwedCents(ctx, charge));
    const amountCents = step.providerCharge.amountCents;
    return {
      kind: "paid",
      isRenewal: false,
      debt: { owedCents },
      extraWrites: [
        announce<PaymentMessage>(ctx, paidKey(charge.id), {
          type: "debt.paid",
          chargeId: charge.id,
          creatorId: charge.creatorId,
          amountCents,
          leftCents: Math.max(0, owedCents - amountCents),
        }),
      ],
      announced: paidKey(charge.id),
    };
  },
  async payer(ctx, charge) {
    const { payer } = await loadDebtPayment(ctx, { creatorId: charge.payerId });
    return payer && { name: payer.name, savedMethodId: null };
  },
  endedStatements: async () => [],
};

const paidKey = (chargeId: string): string => `debt:${chargeId}:paid`;
