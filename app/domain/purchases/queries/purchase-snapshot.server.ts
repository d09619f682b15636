import type { SQL } from "drizzle-orm";
import type { Database } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import {
  purchaseStandingOf,
  purchaseStandingStatement,
} from "#app/domain/purchases/queries.server.ts";
import {
  asPlanChange,
  planChangeStatement,
} from "#app/domain/subscriptions/queries/plan-change/changes.server.ts";
import {
  purchaseFactsOf,
  purchaseFactsStatements,
} from "#app/domain/subscriptions/queries/purchase-facts.server.ts";
import type { PurchaseParts } from "#app/domain/purchases/commands/handlers.server.ts";
import type { SubscriptionSnapshot } from "#app/domain/subscriptions/commands/kind.server.ts";
import type { Instant } from "#app/domain/time.ts";
import { giftStandingOf, giftStandingStatement } from "./gifts.server.ts";
import { tipStandingOf, tipStandingStatement } from "./tips.server.ts";

/**
 * The statements that find what a charge pays for before its kind is known, by SQL that gives its
 * ids; `purchaseSnapshotOf` reads what they give. They may be built once.
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
    ...purchaseFactsStatements({ db, adultSpaces }, { subscriptionId: purchaseId }),
    planChangeStatement({ db }, { planChangeId }),
    purchaseStandingStatement({ db }, { purchaseId, now }),
    tipStandingStatement({ db }, { tipId: purchaseId }),
    giftStandingStatement({ db }, { giftId: purchaseId }),
  ] as const;

type Rows<Statements> = { readonly [Index in keyof Statements]: Awaited<Statements[Index]> };

/**
 * The parts of a `PurchaseSnapshot`, of which one was found: the one that the charge pays for, or
 * none where that does not exist. Nothing of an end or a reversal is read yet.
 */
export function purchaseSnapshotOf(
  ctx: Context,
  [found, others, standing, [paidChange], single, tip, gift]: Rows<
    ReturnType<typeof purchaseStatements>
  >,
): PurchaseParts & { subscription: SubscriptionSnapshot } {
  return {
    subscription: {
      facts: purchaseFactsOf(ctx, [found, others, standing]),
      change: paidChange ? asPlanChange(paidChange) : null,
      ended: null,
      back: null,
      agreement: null,
    },
    single: purchaseStandingOf(single),
    tip: tipStandingOf(ctx, tip),
    gift: giftStandingOf(gift),
    debt: null,
  };
}
