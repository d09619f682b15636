import type { Context } from "#app/domain/context.ts";
import type { Cents } from "#app/domain/money.ts";
import { debtHandler } from "#app/domain/payments/debts/commands/debt-kind.server.ts";
import { handlerOfPart } from "#app/domain/payments/purchase-handlers/commands.server.ts";
import type {
  PurchaseHandlersOf,
  PurchaseSnapshot,
} from "#app/domain/payments/purchase-handlers/schema.ts";
import type { SinglePurchaseSnapshot } from "#app/domain/purchases/queries.server.ts";
import type { GiftSnapshot } from "#app/domain/purchases/gifts/queries.server.ts";
import type { TipSnapshot } from "#app/domain/purchases/tips/queries.server.ts";
import { subscriptionHandler } from "#app/domain/subscriptions/settlement/commands.server.ts";
import type { SubscriptionPurchaseSnapshot } from "#app/domain/subscriptions/settlement/queries/purchase-snapshot.server.ts";
import { planChangeHandler } from "#app/domain/subscriptions/plan-changes/commands/kind.server.ts";
import { giftHandler } from "#app/domain/purchases/gifts/commands/gift-kind.server.ts";
import { singlePurchaseHandler } from "#app/domain/purchases/single-purchases/commands/single-kind.server.ts";
import { tipHandler } from "#app/domain/purchases/tips/commands/tip-kind.server.ts";

/** The parts of a `PurchaseSnapshot`, as `purchaseSnapshotOf` fills them. */
export type PurchaseParts = {
  subscription?: SubscriptionPurchaseSnapshot;
  single?: SinglePurchaseSnapshot | null;
  tip?: TipSnapshot | null;
  gift?: GiftSnapshot | null;
  debt?: { owedCents: Cents } | null;
};

const partsOf = (snapshot: PurchaseSnapshot): PurchaseParts => snapshot as PurchaseParts;

const single = handlerOfPart((snapshot) => partsOf(snapshot).single ?? null, singlePurchaseHandler);
const NOTHING_READ: SubscriptionPurchaseSnapshot = {
  subscriptionSnapshot: null,
  change: null,
  endSnapshot: null,
  changeHistory: null,
  mandateUpdate: null,
};
const subscriptionOf = (snapshot: PurchaseSnapshot): SubscriptionPurchaseSnapshot =>
  partsOf(snapshot).subscription ?? NOTHING_READ;

/**
 * Handlers that settle, renew and end each kind of purchase, but for the tickets of events, whose
 * module is above this one (app/purchase-handlers.ts).
 */
export const ownPurchaseHandlers: Omit<PurchaseHandlersOf<Context>, "event"> = {
  subscription: handlerOfPart(subscriptionOf, subscriptionHandler),
  plan_change: handlerOfPart(subscriptionOf, planChangeHandler),
  post: single,
  collection: single,
  message: single,
  tip: handlerOfPart((snapshot) => partsOf(snapshot).tip ?? null, tipHandler),
  gift: handlerOfPart(
    (snapshot) => ({
      snapshot: partsOf(snapshot).gift ?? null,
      opened: subscriptionOf(snapshot).subscriptionSnapshot?.subscription ?? null,
    }),
    giftHandler,
  ),
  debt: handlerOfPart((snapshot) => partsOf(snapshot).debt ?? null, debtHandler),
};
