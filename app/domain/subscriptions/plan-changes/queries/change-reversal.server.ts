import type { Context } from "#app/domain/context.ts";
import type { Cents } from "#app/domain/money.ts";
import type { Charge } from "#app/domain/payments/purchase-handlers/schema.ts";
import { isRefundable, remainingCents } from "#app/domain/payments/rules.ts";
import {
  loadEndSnapshot,
  unusedRefundsExcept,
} from "#app/domain/subscriptions/endings/queries.server.ts";
import type { EndSnapshot } from "#app/domain/subscriptions/endings/queries.server.ts";
import { loadSubscriptionSnapshot } from "#app/domain/subscriptions/snapshot/queries.server.ts";
import { planReversal } from "#app/domain/subscriptions/plan-changes/rules/plan-change-reversal.ts";
import type { ReversalPlan } from "#app/domain/subscriptions/plan-changes/rules/plan-change-reversal.ts";
import type { Subscription } from "#app/domain/subscriptions/schema.ts";
import type { Instant } from "#app/domain/time.ts";
import { loadChangeHistory } from "./change-history.server.ts";
import type { ChangeHistory, PaidChange } from "./change-history.server.ts";

/** A charge, and how much of it is refunded (centavos). */
type ChangeRefund = {
  charge: Pick<
    Charge,
    | "id"
    | "amountCents"
    | "feeCents"
    | "refundedCents"
    | "refundedFeeCents"
    | "disputedCents"
    | "disputedFeeCents"
  >;
  amountCents: Cents;
};

/**
 * The reversal of a plan change: where the subscription returns to, the undone changes (oldest
 * last), and the refunds. `differences` are theirs; `others` are for days that nobody gets.
 */
export type PlanChangeReversal = {
  way: ReversalPlan;
  oldest: PaidChange;
  undone: PaidChange[];
  differences: ChangeRefund[];
  others: ChangeRefund[];
};

type PlanChangeReversalInput = {
  subscription: Subscription;
  endSnapshot: EndSnapshot;
  changeHistory: ChangeHistory;
  now: Instant;
};

/**
 * The reversal of a change if its difference is refunded at `now`. `givenBack` is the charge whose
 * refund is already decided. Null when the change is not done or was already undone.
 */
export function planChangeReversal(
  { subscription, endSnapshot, changeHistory, now }: PlanChangeReversalInput,
  { planChangeId, givenBack }: { planChangeId: string; givenBack: string | null },
): PlanChangeReversal | null {
  const { changes, shifts } = changeHistory;
  const [first, oldest] = [changes.find(({ id }) => id === planChangeId), changes.at(-1)];
  if (!first || !oldest) return null;
  const way = planReversal({
    subscription,
    changes,
    shifts,
    isRenewing: changeHistory.isRenewing,
    now,
  });
  const undone = way.kind === "stays" ? [first] : changes;
  const differences = undone.filter(({ chargeId }) => chargeId !== givenBack).flatMap(leftOf);
  const unused =
    way.kind === "ends"
      ? unusedRefundsExcept(endSnapshot, givenBack ?? "", now).filter(
          ({ covering }) => !undone.some(({ chargeId }) => chargeId === covering.chargeId),
        )
      : [];
  return {
    way,
    oldest,
    undone,
    differences,
    others: unused.map(({ covering, amountCents }) => ({
      charge: { ...covering, id: covering.chargeId },
      amountCents,
    })),
  };
}

/** What the charge of a change still has to refund. */
function leftOf({ paid }: PaidChange): ChangeRefund[] {
  if (!paid || !isRefundable(paid.charge.status)) return [];
  const amountCents = remainingCents(paid.charge) - paid.waitingCents;
  return amountCents > 0 ? [{ charge: paid.charge, amountCents }] : [];
}

/**
 * What a cooling-off refund of a plan change refunds now, by payment. An open renewal is canceled
 * before, so it does not count.
 */
export async function planChangeCoolingOffRefunds(
  ctx: Context,
  { planChangeId, subscriptionId }: { planChangeId: string; subscriptionId: string },
): Promise<ChangeRefund[]> {
  const [subscriptionSnapshot, endSnapshot, changeHistory] = await Promise.all([
    loadSubscriptionSnapshot(ctx, { subscriptionId }),
    loadEndSnapshot(ctx, { subscriptionId, chargeId: "" }),
    loadChangeHistory(ctx, { planChangeId }),
  ]);
  const given =
    subscriptionSnapshot &&
    planChangeReversal(
      {
        subscription: subscriptionSnapshot.subscription,
        endSnapshot,
        changeHistory: { ...changeHistory, isRenewing: false },
        now: ctx.now(),
      },
      { planChangeId, givenBack: null },
    );
  return given ? [...given.differences, ...given.others] : [];
}
