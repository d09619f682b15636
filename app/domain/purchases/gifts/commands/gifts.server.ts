import { and, eq, isNull } from "drizzle-orm";
import { commit } from "#app/db/client.server.ts";
import { RuleViolation, StaleWrite } from "#app/db/errors.ts";
import type { Context } from "#app/domain/context.ts";
import { isAccountClosing } from "#app/domain/identity/queries.server.ts";
import type { Cents } from "#app/domain/money.ts";
import { joinOrCancelOpenCheckout } from "#app/domain/payments/charges/commands/open-attempt.server.ts";
import type { JoinedCheckout } from "#app/domain/payments/charges/commands/open-attempt.server.ts";
import { isMethodOffered } from "#app/domain/payments/providers/rules/providers.ts";
import { canStillBePaid } from "#app/domain/payments/rules.ts";
import { holdSeatStatement } from "#app/domain/plans/commands.server.ts";
import { CreatorOnVacation } from "#app/domain/plans/errors/vacations.ts";
import { planOffer } from "#app/domain/plans/queries.server.ts";
import type { PlanOffer } from "#app/domain/plans/queries.server.ts";
import { methodsForPrice } from "#app/domain/plans/rules.ts";
import { followTarget } from "#app/domain/profiles/queries.server.ts";
import {
  GiftDeliveryDayInvalid,
  CannotGiftOwnPlan,
  UnnamedGiftAlreadyOpen,
} from "#app/domain/purchases/gifts/errors.ts";
import { linkSlugSql } from "#app/domain/profiles/queries/link-marks.server.ts";
import { openGift } from "#app/domain/purchases/gifts/queries.server.ts";
import { giftCode } from "#app/domain/purchases/gifts/queries/gift-codes.server.ts";
import { giftDeliveryAt, giftDescription } from "#app/domain/purchases/gifts/rules.ts";
import { requireSavedCard } from "#app/domain/subscriptions/payment-methods/commands/payment-method.server.ts";
import {
  LeavingMemberCannotSubscribe,
  SubscriptionMethodNotOffered,
  NoSeatLeft,
  PlanNotForSale,
  PlanPriceChanged,
  TooManyOpenPayments,
} from "#app/domain/subscriptions/errors.ts";
import { planOfPrice } from "#app/domain/subscriptions/queries.server.ts";
import type { Instant } from "#app/domain/time.ts";
import { gifts } from "#drizzle/schema/purchases.ts";
import {
  oneOffCharge,
  oneOffChargeStatements,
  enforceCheckoutLimits,
  openOneOffCheckout,
  checkoutIntentOf,
} from "#app/domain/purchases/checkout/commands/open-checkout.server.ts";
import type {
  OpenedOneOffCheckout,
  OneOffPayment,
} from "#app/domain/purchases/checkout/commands/open-checkout.server.ts";

/** Checkout of a gift. It cancels no checkout other than a gift's. */

export type GiftCheckout = OneOffPayment & {
  planPriceId: string;
  /** The price shown to the giver; omitted by a caller that shows none. */
  amountCents?: Cents | undefined;
  recipientName: string;
  /** Lower case; empty if the giver hands the code over. */
  recipientEmail: string;
  message: string;
  /** The day of the delivery (its midnight in São Paulo); null to deliver once paid. */
  deliverOn: Instant | null;
};

/**
 * Opens a gift of one period of a plan, holds its seat and requests its charge, like
 * `startSubscription`. Rows are committed first, and the charge's id is the key. A second checkout
 * for the same recipient joins the open one, which stores the latest texts. Another plan, amount,
 * method or card cancels it first. Gifts without an e-mail are told apart by the name. With another
 * name nothing is joined or canceled while the first may be paid (UnnamedGiftAlreadyOpen). Refuses:
 * PlanNotForSale (also across a block), PlanPriceChanged, CannotGiftOwnPlan, CreatorOnVacation,
 * LeavingMemberCannotSubscribe, NoSeatLeft, SubscriptionMethodNotOffered, GiftDeliveryDayInvalid,
 * UnnamedGiftAlreadyOpen, SavedCardRemoved, TooManyOpenPayments, TooManyDeclines, PaymentDeclined.
 * Source: domain rules, "Plans".
 */
export async function startGift(ctx: Context, wish: GiftCheckout): Promise<JoinedCheckout> {
  return await openOneOffCheckout(ctx, wish, () => openOrJoin(ctx, wish));
}

async function openOrJoin(ctx: Context, wish: GiftCheckout): Promise<OpenedOneOffCheckout> {
  const texts = {
    recipientName: wish.recipientName,
    message: wish.message,
    deliverAt: deliveryFor(ctx, wish),
  };
  const asked = await offerFor(ctx, wish);
  const joined = await joinedOpen(ctx, wish, { offer: asked, texts });
  if (joined) return { joined };
  // A canceled checkout freed its seat.
  const offer = await offerFor(ctx, wish);
  if (offer.availability === "full") throw new NoSeatLeft();
  await requireSavedCard(ctx, {
    memberId: wish.memberId,
    savedMethodId: wish.savedMethodId ?? null,
  });
  await enforceCheckoutLimits(ctx, wish);
  return await openNew(ctx, wish, { offer, texts });
}

type GiftTexts = { recipientName: string; message: string; deliverAt: Instant | null };
type AgreedGift = { offer: PlanOffer; texts: GiftTexts };

async function openNew(
  ctx: Context,
  wish: GiftCheckout,
  { offer, texts }: AgreedGift,
): Promise<OpenedOneOffCheckout> {
  const { plan, price, creator } = offer;
  const { memberId, recipientEmail, savedMethodId } = wish;
  const giftId = ctx.newId();
  const agreed = { creatorId: plan.creatorId, amountCents: price.amountCents };
  const charge = oneOffCharge(ctx, wish, {
    ...agreed,
    purchaseKind: "gift",
    purchaseId: giftId,
    description: giftDescription(plan.name, creator.name),
  });
  try {
    await commit(ctx.db, [
      ctx.db.insert(gifts).values({
        ...agreed,
        ...texts,
        id: giftId,
        giverId: memberId,
        planId: plan.id,
        planPriceId: price.id,
        interval: price.interval,
        chargeId: charge.id,
        codeHash: await ctx.signer.digest(await giftCode(ctx, { giftId })),
        recipientEmail,
        holdsSeat: true,
        createdAt: ctx.now(),
        linkSlug: linkSlugSql(plan.creatorId, wish.link),
      }),
      holdSeatStatement(ctx, { planId: plan.id }),
      ...oneOffChargeStatements(ctx, wish, charge),
    ]);
  } catch (error) {
    if (
      !(
        error instanceof StaleWrite ||
        (error instanceof RuleViolation && error.rule === "immutable_vacation")
      )
    )
      throw error;
    await enforceCheckoutLimits(ctx, wish);
    await requireSavedCard(ctx, { memberId, savedMethodId: savedMethodId ?? null });
    const meanwhile = await offerFor(ctx, wish);
    throw meanwhile.availability === "full" ? new NoSeatLeft() : new TooManyOpenPayments();
  }
  return { charge };
}

async function joinedOpen(
  ctx: Context,
  wish: GiftCheckout,
  { offer, texts }: AgreedGift,
): Promise<JoinedCheckout | null> {
  const openNow = async () => {
    const found = await openGift(ctx, {
      memberId: wish.memberId,
      creatorId: offer.plan.creatorId,
      recipientEmail: wish.recipientEmail,
    });
    if (found && isForAnother(found, wish) && canStillBePaid(found, ctx.now()))
      throw new UnnamedGiftAlreadyOpen(found);
    return found;
  };
  const open = await openNow();
  if (!open) return null;
  const amountCents = open.planPriceId === wish.planPriceId ? offer.price.amountCents : null;
  const joined = await joinOrCancelOpenCheckout(ctx, {
    wish: checkoutIntentOf(wish, amountCents),
    open,
    openNow,
  });
  // The open gift was paid while it expired; it does not pay this one.
  if (joined?.chargeId === open.chargeId && isForAnother(open, wish))
    throw new UnnamedGiftAlreadyOpen(open);
  if (joined)
    await ctx.db
      .update(gifts)
      .set(texts)
      .where(and(eq(gifts.id, open.giftId), isNull(gifts.paidAt), isNull(gifts.endedAt)));
  return joined;
}

type NamedRecipient = { recipientName: string };

/** Compares recipients of open gifts to the same e-mail, or to none. */
const isForAnother = (
  open: NamedRecipient,
  wish: NamedRecipient & { recipientEmail: string },
): boolean => wish.recipientEmail === "" && recipientNameText(open) !== recipientNameText(wish);
const recipientNameText = ({ recipientName }: NamedRecipient): string =>
  recipientName.trim().toLocaleLowerCase("pt-BR");

function deliveryFor(ctx: Context, { deliverOn }: GiftCheckout): Instant | null {
  const delivery = giftDeliveryAt(deliverOn, ctx.now());
  if ("problem" in delivery) throw new GiftDeliveryDayInvalid(delivery.problem);
  return delivery.deliverAt;
}

async function offerFor(
  ctx: Context,
  { memberId, planPriceId, method, amountCents }: GiftCheckout,
): Promise<PlanOffer> {
  const priced = await planOfPrice(ctx, { planPriceId });
  const offer = priced ? await planOffer(ctx, { ...priced, buyerId: memberId }) : null;
  if (
    !priced ||
    !offer ||
    offer.price.interval !== priced.interval ||
    offer.availability === "not_sold"
  )
    throw new PlanNotForSale();
  if (offer.plan.creatorId === memberId) throw new CannotGiftOwnPlan();
  if (offer.awayUntil !== null) throw new CreatorOnVacation(offer.awayUntil);
  if (
    offer.price.id !== planPriceId ||
    (amountCents !== undefined && amountCents !== offer.price.amountCents)
  )
    throw new PlanPriceChanged(offer.price.amountCents);
  if (await isAccountClosing(ctx, { personId: memberId })) throw new LeavingMemberCannotSubscribe();
  // A blocked member sees no plan, and can buy none.
  if (
    (await followTarget(ctx, { followerId: memberId, creatorId: offer.plan.creatorId }))?.isBlocked
  )
    throw new PlanNotForSale();
  if (!methodsForPrice(offer.price.amountCents).includes(method) || !isMethodOffered(method, ctx))
    throw new SubscriptionMethodNotOffered({ method, amountCents: offer.price.amountCents });
  return offer;
}
