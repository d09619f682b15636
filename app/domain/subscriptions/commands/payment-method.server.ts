import { and, eq, inArray } from "drizzle-orm";
import type { Write } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { isSavedMethodOf } from "#app/domain/payments/queries.server.ts";
import { SavedCardGone } from "#app/domain/subscriptions/errors.ts";
import { RENEWING } from "#app/domain/subscriptions/rules.ts";
import { subscriptions } from "#drizzle/schema/subscriptions.ts";

/** Refuses SavedCardGone for a card that its person removed meanwhile, in another tab, and for somebody else's. */
export async function refuseGoneCard(ctx: Context, { memberId, savedMethodId }: { memberId: string; savedMethodId?: string | null }): Promise<void> {
  if (savedMethodId && !(await isSavedMethodOf(ctx, { personId: memberId, savedMethodId }))) throw new SavedCardGone();
}

type ByCard = { fanId: string; savedMethodId: string };

/** Of what was put off, an end moves days: whoever cancels it does so by `cancelSubscription`. */
const PUT_OFF = "paused";

/**
 * The statement by which what renews by a saved card goes on by another, by Pix codes, or renews no more; what was paid stays open. What is paused
 * is left alone by `cancel`.
 */
export function renewalsMovedStatement(ctx: Context, { to, ...by }: ByCard & { to: { card: string } | "pix" | "cancel" }): Write {
  const updatedAt = ctx.now();
  const next = to === "pix" ? { method: "pix" as const, savedMethodId: null } : to === "cancel" ? { status: "canceled", canceledAt: updatedAt, savedMethodId: null } : { savedMethodId: to.card };
  return ctx.db
    .update(subscriptions)
    .set({ ...next, updatedAt })
    .where(and(paidBy(by), inArray(subscriptions.status, to === "cancel" ? RENEWING.filter((status) => status !== PUT_OFF) : [...RENEWING])));
}

/** The statement after which no subscription, however it stands, names a card that was forgotten. */
export function forgottenMethodStatement(ctx: Context, by: ByCard): Write {
  return ctx.db.update(subscriptions).set({ savedMethodId: null }).where(paidBy(by));
}

const paidBy = ({ fanId, savedMethodId }: ByCard) => and(eq(subscriptions.fanId, fanId), eq(subscriptions.savedMethodId, savedMethodId));
