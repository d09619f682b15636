import type { SQL } from "drizzle-orm";
import type { Database } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import type { Cents } from "#app/domain/money.ts";
import {
  purchaseStandingOf,
  purchaseStandingStatement,
} from "#app/domain/purchases/queries.server.ts";
import type { PurchaseStanding } from "#app/domain/purchases/queries.server.ts";
import type { Agreement } from "#app/domain/subscriptions/commands/automatic/authorisation-step.server.ts";
import {
  asPlanChange,
  planChangeStatement,
} from "#app/domain/subscriptions/queries/plan-change/changes.server.ts";
import type { PlanChange } from "#app/domain/subscriptions/queries/plan-change/changes.server.ts";
import type { EndedFacts } from "#app/domain/subscriptions/queries/ending/ended-facts.server.ts";
import type { BackFacts } from "#app/domain/subscriptions/queries/plan-change/back.server.ts";
import {
  purchaseFactsOf,
  purchaseFactsStatements,
} from "#app/domain/subscriptions/queries/purchase-facts.server.ts";
import type { PurchaseFacts } from "#app/domain/subscriptions/queries/purchase-facts.server.ts";
import type { Instant } from "#app/domain/time.ts";
import { giftStandingOf, giftStandingStatement } from "./gifts.server.ts";
import type { GiftStanding } from "./gifts.server.ts";
import { tipStandingOf, tipStandingStatement } from "./tips.server.ts";
import type { TipStanding } from "./tips.server.ts";

/**
 * What a charge pays for, whatever it is: one of them was found, or none where the charge is of
 * something that is not there.
 */
export type PaidFor = {
  subscription: {
    facts: PurchaseFacts | null;
    change: PlanChange | null;
    /** These are read only where money goes or comes back. */ ended: EndedFacts | null;
    back: BackFacts | null;
    /** Asked only where it pays the code of an authorisation. */ agreement: Agreement | null;
  };
  single: PurchaseStanding | null;
  tip: TipStanding | null;
  gift: GiftStanding | null;
  /** What its creator owes, where it pays that; read with the charge. */
  debt: { owedCents: Cents } | null;
};

/**
 * The statements that find what a charge pays for before its kind is known, by SQL that gives its
 * ids; `paidForOf` reads what they give. They may be built once.
 */
export const paidForStatements = (
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

export function paidForOf(
  ctx: Context,
  [found, others, standing, [paidChange], single, tip, gift]: Rows<
    ReturnType<typeof paidForStatements>
  >,
): PaidFor {
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
