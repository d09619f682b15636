import { commit } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { announce } from "#app/domain/outbox.server.ts";
import type { PaymentMessage } from "#app/domain/payments/schema/outbox.ts";
import { chargeRow } from "#app/domain/payments/queries.server.ts";
import { confirmationReminderKey } from "#app/domain/payments/charges/rules/confirmation-reminder.ts";
import { settleCharge } from "./settle.server.ts";

/**
 * Tells the payer of a first payment that still waits for their bank, once, with the way back to
 * it: who closed the tab finds it nowhere else. The provider is asked before; nothing is told of
 * what moved meanwhile, or ran out. Throws ProviderUnclear. Safe to run twice.
 */
export async function notifyUnconfirmedCharge(
  ctx: Context,
  { chargeId }: { chargeId: string },
): Promise<void> {
  if ((await settleCharge(ctx, { chargeId })) !== "requires_action") return;
  const charge = await chargeRow(ctx, { chargeId });
  if (!charge || charge.expiresAt === null || charge.expiresAt <= ctx.now()) return;
  const { payerId, amountCents, description, expiresAt: confirmUntil } = charge;
  const key = confirmationReminderKey(chargeId);
  await commit(ctx.db, [
    announce<PaymentMessage>(ctx, key, {
      type: "charge.to_confirm",
      chargeId,
      payerId,
      amountCents,
      description,
      confirmUntil,
      appOrigin: ctx.settings.appOrigin,
    }),
  ]);
  await ctx.queues.notifications.send({ version: 1, type: "outbox.deliver", id: key });
}
