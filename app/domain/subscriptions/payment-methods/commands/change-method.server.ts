import { and, eq, sql } from "drizzle-orm";
import { commit, mustChangeOne } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { countAction } from "#app/domain/rate-limits/commands.server.ts";
import type { Cents } from "#app/domain/money.ts";
import { requirePayerTaxId } from "#app/domain/payments/charges/commands/payer-tax-id.server.ts";
import { retryOnConflict } from "#app/db/retry-on-conflict.ts";
import { isMethodOffered } from "#app/domain/payments/providers/rules/providers.ts";
import { lacksSavedMethod } from "#app/domain/payments/methods/rules.ts";
import type { ChosenMethod } from "#app/domain/payments/rules/choices.ts";
import { methodsForPrice } from "#app/domain/plans/rules.ts";
import {
  SubscriptionMethodNotOffered,
  NotCancelable,
  TooManyMethodChanges,
} from "#app/domain/subscriptions/errors.ts";
import { openRenewals } from "#app/domain/subscriptions/renewals/queries/renewals.server.ts";
import { canChangeMethod } from "#app/domain/subscriptions/rules.ts";
import { HOUR_MS } from "#app/domain/time.ts";
import { subscriptions } from "#drizzle/schema/subscriptions.ts";
import {
  mandateEndingStatement,
  cancelMandateAtProvider,
} from "#app/domain/subscriptions/pix-mandates/commands/mandates.server.ts";
import { refreshUnconfirmedRenewals } from "#app/domain/subscriptions/open-renewals/commands.server.ts";
import type { MemberSubscriptionRef } from "#app/domain/subscriptions/commands.server.ts";
import { isCardSaved, requireSavedCard } from "./payment-method.server.ts";
import { loadAgreedRenewal } from "#app/domain/subscriptions/renewal-terms/commands/agreed-renewal.server.ts";
import { advanceSubscription } from "#app/domain/subscriptions/renewals/commands/renew.server.ts";

/** Payment methods that a member may try in an hour. */
const LIMITS = [{ windowMs: HOUR_MS, limit: 8 }];

/**
 * Changes the renewals of a subscription to another saved card, or to Pix codes. A Pix mandate ends
 * in the same commit, so that one period is never paid in two ways. Open charges by the old method
 * are canceled at the provider. A due payment is charged at once by the new method, or once more by
 * the same. Returns that charge, or the one already open, if any. An unconfirmed charge is asked
 * about first, and no other is made until its outcome is known. `amountCents` is what the member
 * was shown. Refuses SubscriptionNotFound (also for another member's), NotCancelable when it does
 * not renew, PlanPriceChanged, SubscriptionMethodNotOffered, SavedCardRemoved, TaxIdRequired,
 * TooManyMethodChanges.
 */
export async function changeRenewalMethod(
  ctx: Context,
  {
    method,
    savedMethodId,
    amountCents,
    ...reference
  }: MemberSubscriptionRef & ChosenMethod & { amountCents?: Cents | undefined },
): Promise<{ chargeId: string | null }> {
  const { waiting, ended } = await retryOnConflict(async () => {
    const subscriptionSnapshot = await loadAgreedRenewal(ctx, { ...reference, amountCents });
    const { subscription } = subscriptionSnapshot;
    if (!canChangeMethod(subscription)) throw new NotCancelable();
    if (
      !methodsForPrice(subscriptionSnapshot.nextPaymentCents).includes(method) ||
      !isMethodOffered(method, ctx) ||
      lacksSavedMethod({ method, savedMethodId })
    )
      throw new SubscriptionMethodNotOffered({
        method,
        amountCents: subscriptionSnapshot.nextPaymentCents,
      });
    await requireSavedCard(ctx, { memberId: reference.fanId, savedMethodId });
    await requirePayerTaxId(ctx, { payerId: reference.fanId, method });
    const { recurringPixId: ended } = subscription;
    const isSame =
      subscription.method === method &&
      subscription.savedMethodId === savedMethodId &&
      ended === null;
    const [open] = isSame ? await openRenewals(ctx, reference) : [];
    if (open) return { waiting: open, ended };
    await countAction(
      ctx,
      { act: "renewal-method", personId: reference.fanId, limits: LIMITS },
      () => new TooManyMethodChanges(),
    );
    const isSaved =
      savedMethodId === null
        ? undefined
        : isCardSaved({ personId: reference.fanId, savedMethodId });
    const now = ctx.now();
    await commit(ctx.db, [
      mustChangeOne(
        ctx.db
          .update(subscriptions)
          .set({ method, savedMethodId, methodChangedAt: now, calendarAt: now, updatedAt: now })
          .where(
            and(
              eq(subscriptions.id, subscription.id),
              eq(subscriptions.status, subscription.status),
              sql`${subscriptions.recurringPixId} IS ${ended}`,
              isSaved,
            ),
          ),
      ),
      ...(ended === null ? [] : [mandateEndingStatement(ctx, { mandateId: ended })]),
    ]);
    return { waiting: null, ended };
  });
  if (waiting !== null) return { chargeId: waiting };
  if (ended !== null) await cancelMandateAtProvider(ctx, { ...reference, mandateId: ended });
  await refreshUnconfirmedRenewals(ctx, reference);
  return await advanceSubscription(ctx, reference);
}
