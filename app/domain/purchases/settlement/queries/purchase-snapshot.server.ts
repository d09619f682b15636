import type { SQL } from "drizzle-orm";
import type { Database } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import {
  toPurchaseSnapshot,
  purchaseSnapshotStatement,
} from "#app/domain/purchases/queries.server.ts";
import {
  toPlanChange,
  planChangeStatement,
} from "#app/domain/subscriptions/renewal-terms/queries/plan-changes.server.ts";
import {
  toSubscriptionSnapshot,
  subscriptionSnapshotStatements,
} from "#app/domain/subscriptions/snapshot/queries.server.ts";
import type { PurchaseParts } from "#app/domain/purchases/settlement/commands.server.ts";
import type { SubscriptionPurchaseSnapshot } from "#app/domain/subscriptions/settlement/queries/purchase-snapshot.server.ts";
import type { Instant } from "#app/domain/time.ts";
import {
  toGiftSnapshot,
  giftSnapshotStatement,
} from "#app/domain/purchases/gifts/queries.server.ts";
import { toTipSnapshot, tipSnapshotStatement } from "#app/domain/purchases/tips/queries.server.ts";

/**
 * Statements that find a charge's purchase before its kind is known, by SQL for its ids.
 * `purchaseSnapshotOf` reads their rows. They can be built once.
 */
export const purchaseStatements = (
  { db, adultSpaces }: { db: Database; adultSpaces: boolean },
  {
    purchaseId,
    planChangeId,
    now,
  }: { purchaseId: SQL<string>; planChangeId: SQL<string>; now: SQL<Instant> },
) =>
  [
    ...subscriptionSnapshotStatements({ db, adultSpaces }, { subscriptionId: purchaseId }),
    planChangeStatement({ db }, { planChangeId }),
    purchaseSnapshotStatement({ db }, { purchaseId, now }),
    tipSnapshotStatement({ db }, { tipId: purchaseId }),
    giftSnapshotStatement({ db }, { giftId: purchaseId }),
  ] as const;

type Rows<Statements> = { readonly [Index in keyof Statements]: Awaited<Statements[Index]> };

/**
 * Builds the parts of a `PurchaseSnapshot`. At most one is found: the purchase that the charge pays
 * for. Ends and reversals are not read yet.
 */
export function purchaseSnapshotOf(
  ctx: Context,
  [subscriptionRows, others, changes, [paidChange], single, tip, gift]: Rows<
    ReturnType<typeof purchaseStatements>
  >,
): PurchaseParts & { subscription: SubscriptionPurchaseSnapshot } {
  return {
    subscription: {
      subscriptionSnapshot: toSubscriptionSnapshot(ctx, [subscriptionRows, others, changes]),
      change: paidChange ? toPlanChange(paidChange) : null,
      endSnapshot: null,
      changeHistory: null,
      mandateUpdate: null,
    },
    single: toPurchaseSnapshot(single),
    tip: toTipSnapshot(ctx, tip),
    gift: toGiftSnapshot(gift),
    debt: null,
  };
}
