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

/** The statement by which what renews by a saved card goes on by another, or by Pix codes. Who would rather stop cancels first (`cancelRenewedBy`). */
export function renewalsMovedStatement(ctx: Context, { to, ...by }: ByCard & { to: { card: string } | "pix" }): Write {
  const next = to === "pix" ? { method: "pix" as const, savedMethodId: null } : { savedMethodId: to.card };
  return ctx.db
    .update(subscriptions)
    .set({ ...next, updatedAt: ctx.now() })
    .where(and(paidBy(by), inArray(subscriptions.status, [...RENEWING])));
}

/** The statement after which no subscription, however it stands, names a card that was forgotten. */
export function forgottenMethodStatement(ctx: Context, by: ByCard): Write {
  return ctx.db.update(subscriptions).set({ savedMethodId: null }).where(paidBy(by));
}

const paidBy = ({ fanId, savedMethodId }: ByCard) => and(eq(subscriptions.fanId, fanId), eq(subscriptions.savedMethodId, savedMethodId));
