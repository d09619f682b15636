import { and, eq } from "drizzle-orm";
import { expect } from "vitest";
import type { AccessRule } from "#app/domain/access/rules.ts";
import type { Context } from "#app/domain/context.ts";
import { chargeRow } from "#app/domain/payments/queries.server.ts";
import type { Charge } from "#app/domain/payments/purchase-handlers/schema.ts";
import { publishComposition } from "#app/domain/posts/commands/compose.server.ts";
import { postFor } from "#app/domain/posts/queries.server.ts";
import { startPurchase } from "#app/domain/purchases/single-purchases/commands/checkout.server.ts";
import { purchaseRow } from "#app/domain/purchases/queries.server.ts";
import type { Purchase, SingleKind } from "#app/domain/purchases/schema.ts";
import { collectionPosts, collections } from "#drizzle/schema/collections.ts";
import { ledgerTransactions } from "#drizzle/schema/ledger.ts";
import { notifications } from "#drizzle/schema/notifications.ts";
import { charges } from "#drizzle/schema/payments.ts";
import { purchases } from "#drizzle/schema/purchases.ts";
import type { World } from "./context.ts";
import { payAtBank } from "./payments.ts";
import type { PendingCheckout } from "./payments.ts";
import type { TestPerson } from "./people.ts";

const POST_PRICE_CENTS = 1_500;

const rule = { planId: null, amountCents: null, opensAt: null };
export const priceRule = (
  amountCents = POST_PRICE_CENTS,
  opensAt: number | null = null,
): AccessRule => ({ ...rule, kind: "price", amountCents, opensAt });
export const subscribersRule: AccessRule = { ...rule, kind: "subscribers" };

/** Publishes a post that is sold on its own. `rules` say who else has access. */
export async function soldPost(
  ctx: Context,
  author: { id: string },
  {
    rules = [priceRule()],
    title = "Como afino a rabeca",
  }: { rules?: AccessRule[]; title?: string } = {},
): Promise<{ postId: string }> {
  const postId = ctx.newId();
  const post = { title, content: "Da mais grossa à mais fina.", teaser: "", isSensitive: false };
  await publishComposition(ctx, {
    postId,
    version: 0,
    tab: postId,
    authorId: author.id,
    ...post,
    rules,
    image: null,
    media: null,
    removesImage: false,
    at: null,
  });
  return { postId };
}

/** Creates a collection for sale with these posts. */
export async function soldCollection(
  ctx: Context,
  creator: { id: string },
  postIds: string[],
  priceCents: number | null = 4_000,
): Promise<{ collectionId: string }> {
  const collectionId = ctx.newId();
  await ctx.db.insert(collections).values({
    id: collectionId,
    creatorId: creator.id,
    title: "Rabeca do zero",
    priceCents,
    createdAt: ctx.now(),
  });
  for (const [position, postId] of postIds.entries())
    await ctx.db.insert(collectionPosts).values({ collectionId, postId, position });
  return { collectionId };
}

export const purchaseCheckoutInput = (
  buyer: TestPerson,
  targetId: string,
  {
    kind = "post",
    method = "pix",
    cardToken = null,
  }: { kind?: SingleKind; method?: "pix" | "card"; cardToken?: string | null } = {},
) => ({
  memberId: buyer.id,
  memberName: buyer.name,
  kind,
  targetId,
  method,
  cardToken,
});

/** Starts a Pix checkout, which waits for its payment. */
export async function pendingPixPurchase(
  world: World,
  buyer: TestPerson,
  targetId: string,
  kind: SingleKind = "post",
): Promise<PendingCheckout> {
  const { chargeId } = await startPurchase(
    world.ctx,
    purchaseCheckoutInput(buyer, targetId, { kind }),
  );
  const charge = await chargeRow(world.ctx, { chargeId });
  if (!charge?.providerChargeId) throw new Error("the provider never got the charge");
  return { chargeId, providerChargeId: charge.providerChargeId };
}

/** Buys a post or collection by Pix, pays it and applies its webhook. */
export async function paidPurchase(
  world: World,
  buyer: TestPerson,
  targetId: string,
  kind: SingleKind = "post",
): Promise<{ charge: Charge; purchase: Purchase }> {
  const waiting = await pendingPixPurchase(world, buyer, targetId, kind);
  await payAtBank(world, waiting);
  await world.drain();
  const charge = await chargeRow(world.ctx, waiting);
  if (charge?.status !== "succeeded") throw new Error(`the charge is ${charge?.status}`);
  const purchase = await purchaseRow(world.ctx, { purchaseId: charge.purchaseId });
  if (!purchase) throw new Error("no purchase");
  return { charge, purchase };
}

export async function canSeePost(
  ctx: Context,
  viewer: TestPerson,
  postId: string,
): Promise<boolean> {
  return (await postFor(ctx, { postId, viewerId: viewer.id }))?.access.visible ?? false;
}

/**
 * How the purchases of a person ended, oldest first: null if the purchase is valid, "open" if it
 * can still be paid.
 */
export async function purchaseEndsOf(ctx: Context, buyer: TestPerson): Promise<(string | null)[]> {
  const rows = await ctx.db
    .select()
    .from(purchases)
    .where(eq(purchases.personId, buyer.id))
    .orderBy(purchases.createdAt, purchases.id);
  return rows.map((row) =>
    row.boughtAt === null && row.endedAt === null ? "open" : row.endedReason,
  );
}

/** All charges of a payer, paid or not. */
export const chargesOfPayer = (ctx: Context, payer: { id: string }) =>
  ctx.db.select().from(charges).where(eq(charges.payerId, payer.id));

/** Expects one booked charge, one valid purchase and one notification to each side. */
export async function expectBoughtOnce(
  world: World,
  { chargeId, buyer, seller }: { chargeId: string; buyer: TestPerson; seller: TestPerson },
): Promise<void> {
  const { db } = world.ctx;
  expect((await chargeRow(world.ctx, { chargeId }))?.status).toBe("succeeded");
  const notificationsFor = (personId: string) =>
    db
      .select()
      .from(notifications)
      .where(and(eq(notifications.personId, personId), eq(notifications.kind, "purchase.bought")));
  const [transactions, holding, toBuyer, toSeller] = await db.batch([
    db
      .select()
      .from(ledgerTransactions)
      .where(
        and(
          eq(ledgerTransactions.chargeId, chargeId),
          eq(ledgerTransactions.kind, "charge.succeeded"),
        ),
      ),
    db
      .select()
      .from(purchases)
      .where(and(eq(purchases.personId, buyer.id), eq(purchases.chargeId, chargeId))),
    notificationsFor(buyer.id),
    notificationsFor(seller.id),
  ]);
  expect({
    transactions: transactions.length,
    toBuyer: toBuyer.length,
    toSeller: toSeller.length,
  }).toEqual({ transactions: 1, toBuyer: 1, toSeller: 1 });
  expect(holding).toEqual([
    expect.objectContaining({ boughtAt: expect.any(Number), endedAt: null }),
  ]);
}
