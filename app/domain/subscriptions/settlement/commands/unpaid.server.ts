import { and, eq } from "drizzle-orm";
import type { BatchWrite } from "#app/db/client.server.ts";
import { mustChangeOne } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { announce } from "#app/domain/outbox.server.ts";
import type { PixMandateMessage } from "#app/domain/subscriptions/schema/outbox/pix-mandates.ts";
import type { ProviderCharge } from "#app/domain/payments/schema.ts";
import { releaseSeatStatement } from "#app/domain/plans/commands.server.ts";
import type { SubscriptionSnapshot } from "#app/domain/subscriptions/snapshot/queries.server.ts";
import { subscriptions } from "#drizzle/schema/subscriptions.ts";
import type { PaidSubscriptionCharge } from "#app/domain/subscriptions/settlement/queries/purchase-snapshot.server.ts";

/** Notifies of a refused debit once, however often the bank tries again. */
export function debitRefusedStatements(
  ctx: Context,
  { charge, subscriptionSnapshot }: PaidSubscriptionCharge,
  { status, failureCode }: { status: ProviderCharge["status"]; failureCode: string | null },
): BatchWrite[] {
  const { subscription, creatorName, plan } = subscriptionSnapshot;
  if (charge.debitOn === null || status !== "processing" || failureCode === null) return [];
  const { id: subscriptionId, fanId } = subscription;
  return [
    announce<PixMandateMessage>(ctx, `charge:${charge.id}:debit_refused`, {
      type: "subscription.debit_refused",
      subscriptionId,
      fanId,
      creatorName,
      planName: plan.name,
      amountCents: charge.amountCents,
      appOrigin: ctx.settings.appOrigin,
    }),
  ];
}

/** Ends a subscription whose first charge was not paid. */
export function endedUnpaidStatements(
  ctx: Context,
  { subscription, plan }: SubscriptionSnapshot,
): BatchWrite[] {
  return [
    mustChangeOne(
      ctx.db
        .update(subscriptions)
        .set({ status: "expired", holdsSeat: false, updatedAt: ctx.now() })
        .where(
          and(
            eq(subscriptions.id, subscription.id),
            eq(subscriptions.status, "incomplete"),
            eq(subscriptions.holdsSeat, subscription.holdsSeat),
          ),
        ),
    ),
    ...(subscription.holdsSeat ? [releaseSeatStatement(ctx, { planId: plan.id })] : []),
  ];
}
