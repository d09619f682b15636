import { commit } from "#app/db/client.server.ts";
import { StaleWrite } from "#app/db/errors.ts";
import type { Context } from "#app/domain/context.ts";
import type { Cents } from "#app/domain/money.ts";
import { isLeaving } from "#app/domain/identity/queries.server.ts";
import { newChargeStatement, withinOpenLimitStatement, withSavedMethodStatement } from "#app/domain/payments/commands/charges.server.ts";
import { joinedOrLetGo, startedOf } from "#app/domain/payments/commands/open-attempt.server.ts";
import type { Joined } from "#app/domain/payments/commands/open-attempt.server.ts";
import { requestWith } from "#app/domain/payments/commands/request.server.ts";
import { rereading } from "#app/domain/payments/commands/rereading.server.ts";
import { CHECKOUT_LIFE_MS, isMethodOffered } from "#app/domain/payments/rules.ts";
import type { PaymentMethod } from "#app/domain/payments/schema.ts";
import { methodsFor } from "#app/domain/plans/rules.ts";
import { AlreadyBought, AlreadyOpen, MethodNotOffered, NotForSale, OwnThing, PriceChanged } from "#app/domain/purchases/errors.ts";
import { openAttempt } from "#app/domain/purchases/queries.server.ts";
import { singleFor } from "#app/domain/purchases/queries/purchasable.server.ts";
import { descriptionOf } from "#app/domain/purchases/rules.ts";
import type { Purchasable, SingleKind } from "#app/domain/purchases/schema.ts";
import { refuseGoneCard } from "#app/domain/subscriptions/commands/payment-method.server.ts";
import { LeavingBuysNothing, PaymentDeclined, TooManyOpenPayments } from "#app/domain/subscriptions/errors.ts";
import { OPEN_CHECKOUTS_LIMIT } from "#app/domain/subscriptions/rules.ts";
import { purchases } from "#drizzle/schema/purchases.ts";
import { refuseWhatIsTooMuch } from "./open-attempt.server.ts";
import { purchaseKinds } from "./settle.server.ts";

export type PurchaseCheckout = {
  memberId: string;
  memberName: string;
  kind: SingleKind;
  targetId: string;
  method: PaymentMethod;
  /** The price that the buyer was shown; left out by who shows none. */
  amountCents?: Cents | undefined;
  /** From the provider's own field; null sends the person to the provider's page. */
  cardToken: string | null;
  /** One of the person's saved cards, instead. */
  savedMethodId?: string | null;
  /** Whether the card that is typed now is kept, because its person asked for it. */
  keep?: boolean;
};

/**
 * Opens the purchase of a post or of a collection and asks the provider for its charge. Our rows are committed before the provider hears
 * of it, under an idempotency key that is the charge's id. A second checkout of the same thing joins the one that is open, so that two
 * tabs make one charge; with another method, card or price the open one is first let go at the provider, so that two are never payable.
 * Refuses: NotForSale, OwnThing, AlreadyBought, AlreadyOpen, LeavingBuysNothing, PriceChanged, MethodNotOffered, SavedCardGone, TooManyOpenPayments,
 * TooManyDeclines, PaymentDeclined.
 */
export async function startPurchase(ctx: Context, checkout: PurchaseCheckout): Promise<Joined> {
  const opened = await rereading(() => openOrJoin(ctx, checkout));
  if ("joined" in opened) return startedOf(opened.joined);
  const { chargeId, sold, expiresAt } = opened;
  const { status, said, refusedCode } = await requestWith(ctx, purchaseKinds, {
    chargeId,
    amountCents: sold.amountCents,
    description: descriptionFor(sold, checkout.kind),
    method: checkout.method,
    expiresAt,
    payerName: checkout.memberName,
    cardToken: checkout.cardToken,
    savedMethodId: checkout.savedMethodId ?? null,
    saveMethod: checkout.keep === true && !checkout.savedMethodId,
    isPayerThere: true,
  });
  if (status === "failed") throw new PaymentDeclined(refusedCode);
  return startedOf({ chargeId, status, nextActionUrl: said?.nextActionUrl ?? null });
}

type Opened = { joined: Joined } | { chargeId: string; sold: Purchasable; expiresAt: number };

async function openOrJoin(ctx: Context, checkout: PurchaseCheckout): Promise<Opened> {
  const sold = await soldTo(ctx, checkout);
  const open = await openAttempt(ctx, checkout);
  const wish = { method: checkout.method, amountCents: sold.amountCents, hasCardToken: checkout.cardToken !== null || Boolean(checkout.savedMethodId) };
  const joined = open ? await joinedOrLetGo(ctx, purchaseKinds, { wish, open, openNow: () => openAttempt(ctx, checkout) }) : null;
  if (joined) return { joined };
  await refuseGoneCard(ctx, checkout);
  await refuseWhatIsTooMuch(ctx, checkout);
  const [chargeId, purchaseId, now] = [ctx.newId(), ctx.newId(), ctx.now()];
  const expiresAt = now + CHECKOUT_LIFE_MS;
  const agreed = { creatorId: sold.creator.id, amountCents: sold.amountCents };
  await commit(ctx.db, [
    ctx.db.insert(purchases).values({ ...agreed, id: purchaseId, personId: checkout.memberId, kind: checkout.kind, targetId: checkout.targetId, title: sold.title, chargeId, createdAt: now }),
    newChargeStatement(ctx, {
      ...agreed,
      id: chargeId,
      payerId: checkout.memberId,
      purchaseKind: checkout.kind,
      purchaseId,
      description: descriptionFor(sold, checkout.kind),
      method: checkout.method,
      expiresAt,
      period: null,
    }),
    ...(checkout.savedMethodId ? [withSavedMethodStatement(ctx, { chargeId, personId: checkout.memberId, savedMethodId: checkout.savedMethodId })] : []),
    withinOpenLimitStatement(ctx, { chargeId, payerId: checkout.memberId, limit: OPEN_CHECKOUTS_LIMIT }),
  ]).catch(async (error: unknown) => {
    if (!(error instanceof StaleWrite)) throw error;
    await refuseGoneCard(ctx, checkout);
    throw new TooManyOpenPayments();
  });
  return { chargeId, sold, expiresAt };
}

async function soldTo(ctx: Context, { memberId, kind, targetId, method, amountCents }: PurchaseCheckout): Promise<Purchasable> {
  const sold = await singleFor(ctx, { memberId, kind, targetId });
  if (!sold || sold.obstacle === "not_sold") throw new NotForSale(kind);
  if (sold.obstacle === "own") throw new OwnThing(kind);
  if (sold.obstacle === "bought") throw new AlreadyBought(kind);
  if (sold.obstacle !== null) throw new AlreadyOpen(kind);
  if (await isLeaving(ctx, { personId: memberId })) throw new LeavingBuysNothing();
  // Nobody pays another price than the one they read, however fast it was changed.
  if (amountCents !== undefined && amountCents !== sold.amountCents) throw new PriceChanged(sold.amountCents);
  if (!methodsFor(sold.amountCents).includes(method) || !isMethodOffered(method, ctx)) throw new MethodNotOffered();
  return sold;
}

const descriptionFor = (sold: Purchasable, kind: SingleKind): string => descriptionOf({ kind, title: sold.title, creatorName: sold.creator.name });
