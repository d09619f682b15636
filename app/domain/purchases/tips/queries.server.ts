import { and, eq, isNull, or, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import { isBlockedBetween, usernameOf } from "#app/domain/access/sql.server.ts";
import type { Context } from "#app/domain/context.ts";
import { canSell } from "#app/domain/documents/rules.ts";
import { publicSeller } from "#app/domain/identity/tax-ids/rules.ts";
import type { PublicSeller } from "#app/domain/identity/tax-ids/rules.ts";
import type { ChargeStatus, OpenCheckoutCharge } from "#app/domain/payments/rules.ts";
import { isListableProfile } from "#app/domain/profiles/queries.server.ts";
import type { PurchaseEndReason } from "#app/domain/purchases/schema.ts";
import type { Tip } from "./schema.ts";
import type { Instant } from "#app/domain/time.ts";
import { documents } from "#drizzle/schema/documents.ts";
import { charges } from "#drizzle/schema/payments.ts";
import { profiles } from "#drizzle/schema/profiles.ts";
import { posts } from "#drizzle/schema/posts.ts";
import { tips } from "#drizzle/schema/purchases.ts";

/** A trigger refuses any other value of `ended_reason`. */
const asTip = (row: typeof tips.$inferSelect): Tip => ({
  ...row,
  endedReason: row.endedReason as PurchaseEndReason | null,
});

const flag = (value: number): boolean => value === 1;

/**
 * Statement of a tip's receiver, by id or username, with the state of their documents. For pages
 * that read more in the same round trip.
 */
export function tipTargetStatement(
  ctx: Context,
  { key, viewerId }: { key: string; viewerId: string | null },
) {
  return ctx.db
    .select({
      id: profiles.personId,
      name: profiles.name,
      username: profiles.username,
      avatarMediaId: profiles.avatarMediaId,
      isCreator: profiles.isCreator,
      status: documents.status,
      submittedAt: documents.submittedAt,
      sellerName: documents.sellerName,
      taxKind: documents.taxKind,
      taxId: documents.taxId,
    })
    .from(profiles)
    .leftJoin(documents, eq(documents.personId, profiles.personId))
    .where(
      and(
        or(eq(profiles.personId, key), eq(profiles.username, usernameOf(key))),
        isListableProfile(ctx, viewerId),
        sql`NOT ${isBlockedBetween(viewerId, sql`profiles.person_id`)}`,
      ),
    )
    .orderBy(sql`profiles.person_id = ${key} DESC`)
    .limit(1);
}

/** Statement of what decides whether a post's author accepts tips, for its page. */
export function tipsOfAuthorStatement(ctx: Context, { postId }: { postId: string }) {
  return ctx.db
    .select({
      isCreator: profiles.isCreator,
      status: documents.status,
      submittedAt: documents.submittedAt,
    })
    .from(posts)
    .innerJoin(profiles, eq(profiles.personId, posts.authorId))
    .leftJoin(documents, eq(documents.personId, posts.authorId))
    .where(eq(posts.id, postId))
    .limit(1);
}

type TipSellerRow = Awaited<ReturnType<typeof tipsOfAuthorStatement>>[number];

/** Reports whether a page accepts tips today. As for plans, its owner must have sent documents. */
export function acceptsTips(row: TipSellerRow | undefined, now: Instant): boolean {
  if (!row?.isCreator || row.status === null || row.submittedAt === null) return false;
  return canSell({ status: row.status, submittedAt: row.submittedAt }, now);
}

export type TipTarget = {
  id: string;
  name: string;
  username: string;
  avatarMediaId: string | null;
  /** The seller, as Decreto 7.962/2013 requires. */
  seller: PublicSeller | null;
};

/**
 * Loads the person that `memberId` (null for a visitor without an account) may tip, by id or
 * username. Null if they accept no tips, are missing, or are across a block.
 */
export async function tipTarget(
  ctx: Context,
  { key, memberId }: { key: string; memberId: string | null },
): Promise<TipTarget | null> {
  const [row] = await tipTargetStatement(ctx, { key, viewerId: memberId });
  if (!row || !acceptsTips(row, ctx.now())) return null;
  const { id, name, username, avatarMediaId } = row;
  return { id, name, username, avatarMediaId, seller: publicSeller(row) };
}

/** Loads the whole row, for commands. */
export async function tipRow(ctx: Context, { tipId }: { tipId: string }): Promise<Tip | null> {
  const [row] = await ctx.db.select().from(tips).where(eq(tips.id, tipId)).limit(1);
  return row ? asTip(row) : null;
}

/** Loads the open tip from one person to another, or null; the database allows one. */
export async function openTip(
  ctx: Context,
  { memberId, creatorId }: { memberId: string; creatorId: string },
): Promise<(OpenCheckoutCharge & { tipId: string }) | null> {
  const [row] = await ctx.db
    .select({
      tipId: tips.id,
      chargeId: charges.id,
      status: sql<ChargeStatus>`${charges.status}`,
      method: charges.method,
      amountCents: charges.amountCents,
      expiresAt: charges.expiresAt,
      nextActionUrl: charges.nextActionUrl,
    })
    .from(tips)
    .innerJoin(charges, eq(charges.id, tips.chargeId))
    .where(
      and(
        eq(tips.personId, memberId),
        eq(tips.creatorId, creatorId),
        isNull(tips.paidAt),
        isNull(tips.endedAt),
      ),
    )
    .limit(1);
  return row ?? null;
}

export type TipSnapshot = {
  tip: Tip;
  isPaidByAnother: boolean;
  isShut: boolean;
  isPayerLeaving: boolean;
  isAccepted: boolean;
  payerName: string;
  creatorName: string;
  creatorUsername: string;
};

/** Loads everything that decides a payment of this tip, in one round trip. */
export async function loadTipSnapshot(
  ctx: Context,
  { tipId }: { tipId: string },
): Promise<TipSnapshot | null> {
  return toTipSnapshot(ctx, await tipSnapshotStatement(ctx, { tipId: sql`${tipId}` }));
}

/** Statement of `loadTipSnapshot`; `toTipSnapshot` reads its rows. It can be built once. */
export const tipSnapshotStatement = (
  { db }: Pick<Context, "db">,
  { tipId }: { tipId: SQL<string> },
) =>
  db
    .select({
      tip: tips,
      isPaidByAnother:
        sql<boolean>`EXISTS (SELECT 1 FROM tips other WHERE other.person_id = ${tips.personId} AND other.creator_id = ${tips.creatorId} AND other.id <> ${tips.id}
        AND other.paid_at >= ${tips.createdAt} AND other.ended_at IS NULL)`
          .mapWith(flag)
          .as("is_paid_by_another"),
      isShut:
        sql<boolean>`(EXISTS (SELECT 1 FROM people getter WHERE getter.id = ${tips.creatorId} AND (getter.banned_at IS NOT NULL OR getter.leaving_at IS NOT NULL))
        OR ${isBlockedBetween(sql`${tips.personId}`, sql`${tips.creatorId}`)})`
          .mapWith(flag)
          .as("is_shut"),
      isPayerLeaving:
        sql<boolean>`EXISTS (SELECT 1 FROM people payer WHERE payer.id = ${tips.personId} AND payer.leaving_at IS NOT NULL)`
          .mapWith(flag)
          .as("is_payer_leaving"),
      documentsStatus: documents.status,
      submittedAt: documents.submittedAt,
      payerName:
        sql<string>`(SELECT payer.name FROM profiles payer WHERE payer.person_id = ${tips.personId})`.as(
          "payer_name",
        ),
      creatorName: profiles.name,
      creatorUsername: profiles.username,
    })
    .from(tips)
    .innerJoin(profiles, eq(profiles.personId, tips.creatorId))
    .leftJoin(documents, eq(documents.personId, tips.creatorId))
    .where(eq(tips.id, tipId))
    .limit(1);

export function toTipSnapshot(
  ctx: Context,
  [row]: Awaited<ReturnType<typeof tipSnapshotStatement>>,
): TipSnapshot | null {
  if (!row) return null;
  const { tip, documentsStatus, submittedAt, ...snapshot } = row;
  return {
    ...snapshot,
    tip: asTip(tip),
    isAccepted:
      documentsStatus !== null &&
      submittedAt !== null &&
      canSell({ status: documentsStatus, submittedAt }, ctx.now()),
  };
}
