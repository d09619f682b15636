import { and, eq, inArray, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import type { BatchWrite } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { isSavedMethodOf } from "#app/domain/payments/queries.server.ts";
import { FALLBACK_METHOD } from "#app/domain/payments/methods/rules.ts";
import type { ChosenMethod } from "#app/domain/payments/rules/choices.ts";
import { SavedCardRemoved } from "#app/domain/subscriptions/errors.ts";
import { RENEWING_STATUSES } from "#app/domain/subscriptions/rules.ts";
import { subscriptions } from "#drizzle/schema/subscriptions.ts";

/**
 * Refuses SavedCardRemoved for a card that the member removed in another tab, and for another
 * member's.
 */
export async function requireSavedCard(
  ctx: Context,
  { memberId, savedMethodId }: { memberId: string; savedMethodId?: string | null },
): Promise<void> {
  if (savedMethodId && !(await isSavedMethodOf(ctx, { personId: memberId, savedMethodId })))
    throw new SavedCardRemoved();
}

/** The condition that a member has a card saved now. */
export const isCardSaved = ({
  personId,
  savedMethodId,
}: {
  personId: string;
  savedMethodId: string;
}): SQL =>
  sql`EXISTS (SELECT 1 FROM saved_methods stored WHERE stored.id = ${savedMethodId} AND stored.person_id = ${personId} AND stored.removed_at IS NULL)`;

type SavedCardRef = { fanId: string; savedMethodId: string };

/**
 * The statement that moves the renewals of a saved card to another saved card, or to Pix codes. A
 * member who prefers to stop cancels first (`cancelRenewedBy`).
 */
export function moveRenewalsToMethodStatement(
  ctx: Context,
  { to, ...by }: SavedCardRef & { to: ChosenMethod },
): BatchWrite {
  const { savedMethodId } = to;
  const next = savedMethodId === null ? to : { savedMethodId };
  const isSaved =
    savedMethodId === null ? undefined : isCardSaved({ personId: by.fanId, savedMethodId });
  return ctx.db
    .update(subscriptions)
    .set({ ...next, updatedAt: ctx.now() })
    .where(and(paidBy(by), inArray(subscriptions.status, [...RENEWING_STATUSES]), isSaved));
}

/**
 * The statement that moves upcoming subscriptions paid by a saved card to Pix codes: they have no
 * renewal to stop yet.
 */
export function moveUpcomingToMethodStatement(ctx: Context, by: SavedCardRef): BatchWrite {
  return ctx.db
    .update(subscriptions)
    .set({ method: FALLBACK_METHOD, savedMethodId: null, updatedAt: ctx.now() })
    .where(and(paidBy(by), eq(subscriptions.status, "upcoming")));
}

/** Whether a saved card paid an upcoming subscription. */
export async function hasPrepaidByCard(ctx: Context, by: SavedCardRef): Promise<boolean> {
  return (
    (await ctx.db.$count(subscriptions, and(paidBy(by), eq(subscriptions.status, "upcoming")))) > 0
  );
}

/** The statement that clears a removed card from all subscriptions, in any status. */
export function clearSavedMethodStatement(ctx: Context, by: SavedCardRef): BatchWrite {
  return ctx.db.update(subscriptions).set({ savedMethodId: null }).where(paidBy(by));
}

const paidBy = ({ fanId, savedMethodId }: SavedCardRef) =>
  and(eq(subscriptions.fanId, fanId), eq(subscriptions.savedMethodId, savedMethodId));
