import { commit } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { announce } from "#app/domain/outbox.server.ts";
import type { PaymentMessage } from "#app/domain/payments/schema/outbox.ts";
import { chargeRow } from "#app/domain/payments/queries.server.ts";
import { confirmationReminderKey } from "#app/domain/payments/charges/rules/confirmation-reminder.ts";
import { settleCharge } from "./settle.server.ts";

/**
 * Notifies the payer, once, of a first payment that waits for confirmation at their bank. The
 * message has the link back, which a payer who closed the tab has nowhere else. Asks the provider
 * first. Sends nothing if the charge changed meanwhile or expired. Throws ProviderUnclear. Safe to
 * run twice.
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
