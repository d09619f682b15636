import { commit } from "#app/db/client.server.ts";
import { RuleViolation, StaleWrite } from "#app/db/errors.ts";
import type { Context } from "#app/domain/context.ts";
import type { Cents } from "#app/domain/money.ts";
import { isAccountClosing } from "#app/domain/identity/queries.server.ts";
import { joinOrCancelOpenCheckout } from "#app/domain/payments/charges/commands/open-attempt.server.ts";
import type { JoinedCheckout } from "#app/domain/payments/charges/commands/open-attempt.server.ts";
import { isMethodOffered } from "#app/domain/payments/providers/rules/providers.ts";
import { methodsForPrice } from "#app/domain/plans/rules.ts";
import { linkSlugSql } from "#app/domain/profiles/queries/link-marks.server.ts";
import {
  AlreadyBought,
  ContentIsFree,
  PurchaseMethodNotOffered,
  NotForSale,
  CannotBuyOwnContent,
  PriceChanged,
  TicketsGone,
  TicketsNotSold,
} from "#app/domain/purchases/errors.ts";
import { openPurchase } from "#app/domain/purchases/queries.server.ts";
import { purchasableSingle } from "#app/domain/purchases/single-purchases/queries/purchasable.server.ts";
import { singleDescription } from "#app/domain/purchases/rules.ts";
import type { Purchasable, SingleKind } from "#app/domain/purchases/schema.ts";
import { requireSavedCard } from "#app/domain/subscriptions/payment-methods/commands/payment-method.server.ts";
import {
  LeavingMemberCannotSubscribe,
  TooManyOpenPayments,
} from "#app/domain/subscriptions/errors.ts";
import { purchases } from "#drizzle/schema/purchases.ts";
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

export type PurchaseCheckout = OneOffPayment & {
  kind: SingleKind;
  targetId: string;
  /** The price shown to the buyer; omitted by a caller that shows none. */
  amountCents?: Cents | undefined;
};

/**
 * Opens the purchase of a post, a collection, a message or tickets and requests its charge. Rows
 * are committed before the provider is asked, and the charge's id is the idempotency key. A second
 * checkout of the same item joins the open one, so that two tabs make one charge. Another method,
 * card or price first cancels the open one at the provider, so that two are never payable. Tickets
 * are held while their charge can be paid; of two people who want the last seat, one batch is
 * refused whole. Refuses: NotForSale, TicketsNotSold, TicketsGone, CannotBuyOwnContent,
 * AlreadyBought, ContentIsFree, LeavingMemberCannotSubscribe, PriceChanged,
 * PurchaseMethodNotOffered, SavedCardRemoved, TooManyOpenPayments, TooManyDeclines,
 * PaymentDeclined.
 */
export async function startPurchase(
  ctx: Context,
  checkout: PurchaseCheckout,
): Promise<JoinedCheckout> {
  return await openOneOffCheckout(ctx, checkout, () => openOrJoin(ctx, checkout));
}

async function openOrJoin(ctx: Context, checkout: PurchaseCheckout): Promise<OpenedOneOffCheckout> {
  const sold = await soldTo(ctx, checkout);
  const { memberId, kind, targetId } = checkout;
  const open = await openPurchase(ctx, checkout);
  const joined = open
    ? await joinOrCancelOpenCheckout(ctx, {
        wish: checkoutIntentOf(checkout, sold.amountCents),
        open,
        openNow: () => openPurchase(ctx, checkout),
        beforeCancel: () => extendHold(ctx, checkout),
      })
    : null;
  if (joined) return { joined };
  await requireSavedCard(ctx, checkout);
  await enforceCheckoutLimits(ctx, checkout);
  const purchaseId = ctx.newId();
  const agreed = { creatorId: sold.creator.id, amountCents: sold.amountCents };
  const charge = oneOffCharge(ctx, checkout, {
    ...agreed,
    purchaseKind: kind,
    purchaseId,
    description: descriptionFor(sold, kind),
  });
  await commit(ctx.db, [
    ...(ctx.purchaseHandlers[kind].openedStatements?.(ctx, { targetId, payerId: memberId }) ?? []),
    ctx.db.insert(purchases).values({
      ...agreed,
      id: purchaseId,
      personId: memberId,
      kind,
      targetId,
      title: sold.title,
      chargeId: charge.id,
      createdAt: ctx.now(),
      linkSlug: linkSlugSql(sold.creator.id, checkout.link),
    }),
    ...oneOffChargeStatements(ctx, checkout, charge),
  ]).catch(async (error: unknown) => {
    const isFull = error instanceof RuleViolation && error.rule === "event_full";
    if (!isFull && !(error instanceof StaleWrite)) throw error;
    // The seats went meanwhile, or a lower capacity or another price was set.
    if (kind === "event") await soldTo(ctx, checkout);
    // Another tab began to pay for the same order: it is joined.
    if (isFull || (kind === "event" && (await openPurchase(ctx, checkout)))) throw new StaleWrite();
    await requireSavedCard(ctx, checkout);
    throw new TooManyOpenPayments();
  });
  return { charge };
}

/** Keeps what the open payment holds until the next one begins. */
async function extendHold(
  ctx: Context,
  { kind, targetId, memberId }: PurchaseCheckout,
): Promise<void> {
  const statements = ctx.purchaseHandlers[kind].switchStatements?.(ctx, {
    targetId,
    payerId: memberId,
  });
  if (statements) await commit(ctx.db, statements);
}

async function soldTo(
  ctx: Context,
  { memberId, kind, targetId, method, amountCents }: PurchaseCheckout,
): Promise<Purchasable> {
  const sold = await purchasableSingle(ctx, { memberId, kind, targetId });
  if (kind === "event" && sold?.obstacle === "not_sold")
    throw new TicketsNotSold({ eventPath: sold.path });
  if (sold?.obstacle === "full") throw new TicketsGone({ eventPath: sold.path });
  if (!sold || sold.obstacle === "not_sold") throw new NotForSale(kind);
  if (sold.obstacle === "own") throw new CannotBuyOwnContent(kind);
  if (sold.obstacle === "bought") throw new AlreadyBought(kind);
  if (sold.obstacle !== null) throw new ContentIsFree(kind);
  if (await isAccountClosing(ctx, { personId: memberId })) throw new LeavingMemberCannotSubscribe();
  // A buyer never pays a price other than the one shown, however fast it changed.
  if (amountCents !== undefined && amountCents !== sold.amountCents)
    throw new PriceChanged(sold.amountCents);
  if (!methodsForPrice(sold.amountCents).includes(method) || !isMethodOffered(method, ctx))
    throw new PurchaseMethodNotOffered({ method, amountCents: sold.amountCents });
  return sold;
}

const descriptionFor = (sold: Purchasable, kind: SingleKind): string =>
  singleDescription({ kind, title: sold.title, creatorName: sold.creator.name });
