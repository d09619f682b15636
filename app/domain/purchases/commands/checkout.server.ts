import { commit } from "#app/db/client.server.ts";
import { StaleWrite } from "#app/db/errors.ts";
import type { Context } from "#app/domain/context.ts";
import type { Cents } from "#app/domain/money.ts";
import { isLeaving } from "#app/domain/identity/queries.server.ts";
import { joinedOrLetGo } from "#app/domain/payments/commands/open-attempt.server.ts";
import type { Joined } from "#app/domain/payments/commands/open-attempt.server.ts";
import { isMethodOffered } from "#app/domain/payments/rules.ts";
import { methodsFor } from "#app/domain/plans/rules.ts";
import {
  AlreadyBought,
  AlreadyOpen,
  MethodNotOffered,
  NotForSale,
  OwnThing,
  PriceChanged,
} from "#app/domain/purchases/errors.ts";
import { openAttempt } from "#app/domain/purchases/queries.server.ts";
import { singleFor } from "#app/domain/purchases/queries/purchasable.server.ts";
import { descriptionOf } from "#app/domain/purchases/rules.ts";
import type { Purchasable, SingleKind } from "#app/domain/purchases/schema.ts";
import { refuseGoneCard } from "#app/domain/subscriptions/commands/renewal/payment-method.server.ts";
import { LeavingBuysNothing, TooManyOpenPayments } from "#app/domain/subscriptions/errors.ts";
import { purchases } from "#drizzle/schema/purchases.ts";
import {
  chargeOpened,
  chargeStatements,
  refuseWhatIsTooMuch,
  startPaying,
  wishOf,
} from "./open-attempt.server.ts";
import type { Opened, Paying } from "./open-attempt.server.ts";

export type PurchaseCheckout = Paying & {
  kind: SingleKind;
  targetId: string;
  /** The price that the buyer was shown; left out by who shows none. */
  amountCents?: Cents | undefined;
};

/**
 * Opens the purchase of a post or of a collection and asks the provider for its charge. Our rows
 * are committed before the provider hears of it, under an idempotency key that is the charge's id.
 * A second checkout of the same thing joins the one that is open, so that two tabs make one charge;
 * with another method, card or price the open one is first let go at the provider, so that two are
 * never payable. Refuses: NotForSale, OwnThing, AlreadyBought, AlreadyOpen, LeavingBuysNothing,
 * PriceChanged, MethodNotOffered, SavedCardGone, TooManyOpenPayments, TooManyDeclines,
 * PaymentDeclined.
 */
export async function startPurchase(ctx: Context, checkout: PurchaseCheckout): Promise<Joined> {
  return await startPaying(ctx, checkout, () => openOrJoin(ctx, checkout));
}

async function openOrJoin(ctx: Context, checkout: PurchaseCheckout): Promise<Opened> {
  const sold = await soldTo(ctx, checkout);
  const { memberId, kind, targetId } = checkout;
  const open = await openAttempt(ctx, checkout);
  const joined = open
    ? await joinedOrLetGo(ctx, {
        wish: wishOf(checkout, sold.amountCents),
        open,
        openNow: () => openAttempt(ctx, checkout),
      })
    : null;
  if (joined) return { joined };
  await refuseGoneCard(ctx, checkout);
  await refuseWhatIsTooMuch(ctx, checkout);
  const purchaseId = ctx.newId();
  const agreed = { creatorId: sold.creator.id, amountCents: sold.amountCents };
  const charge = chargeOpened(ctx, checkout, {
    ...agreed,
    purchaseKind: kind,
    purchaseId,
    description: descriptionFor(sold, kind),
  });
  await commit(ctx.db, [
    ctx.db.insert(purchases).values({
      ...agreed,
      id: purchaseId,
      personId: memberId,
      kind,
      targetId,
      title: sold.title,
      chargeId: charge.id,
      createdAt: ctx.now(),
    }),
    ...chargeStatements(ctx, checkout, charge),
  ]).catch(async (error: unknown) => {
    if (!(error instanceof StaleWrite)) throw error;
    await refuseGoneCard(ctx, checkout);
    throw new TooManyOpenPayments();
  });
  return { charge };
}

async function soldTo(
  ctx: Context,
  { memberId, kind, targetId, method, amountCents }: PurchaseCheckout,
): Promise<Purchasable> {
  const sold = await singleFor(ctx, { memberId, kind, targetId });
  if (!sold || sold.obstacle === "not_sold") throw new NotForSale(kind);
  if (sold.obstacle === "own") throw new OwnThing(kind);
  if (sold.obstacle === "bought") throw new AlreadyBought(kind);
  if (sold.obstacle !== null) throw new AlreadyOpen(kind);
  if (await isLeaving(ctx, { personId: memberId })) throw new LeavingBuysNothing();
  // Nobody pays another price than the one they read, however fast it was changed.
  if (amountCents !== undefined && amountCents !== sold.amountCents)
    throw new PriceChanged(sold.amountCents);
  if (!methodsFor(sold.amountCents).includes(method) || !isMethodOffered(method, ctx))
    throw new MethodNotOffered({ method, amountCents: sold.amountCents });
  return sold;
}

const descriptionFor = (sold: Purchasable, kind: SingleKind): string =>
  descriptionOf({ kind, title: sold.title, creatorName: sold.creator.name });
