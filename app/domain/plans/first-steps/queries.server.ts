import { and, eq, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import { hasAllFiles } from "#app/domain/documents/contests/queries.server.ts";
import { profiles } from "#drizzle/schema/profiles.ts";

const has = (condition: SQL, name: string) =>
  sql<boolean>`(${condition})`.mapWith(Boolean).as(name);

/**
 * Builds the statement that reads which first steps a creator has done. No row for a person without
 * a page. `isClosed`: the creator hid the list.
 */
export function firstStepsStatement(ctx: Context, { creatorId }: { creatorId: string }) {
  const own = sql`${profiles.personId}`;
  return ctx.db
    .select({
      hasPhoto: has(sql`${profiles.avatarMediaId} IS NOT NULL`, "has_photo"),
      hasBanner: has(sql`${profiles.bannerMediaId} IS NOT NULL`, "has_banner"),
      hasBio: has(sql`${profiles.bio} <> ''`, "has_bio"),
      hasPost: has(sql`${profiles.postsCount} > 0`, "has_post"),
      hasPlan: has(
        sql`EXISTS (SELECT 1 FROM plans WHERE plans.creator_id = ${own} AND plans.state = 'active')`,
        "has_plan",
      ),
      hasDocuments: has(
        sql`EXISTS (SELECT 1 FROM documents WHERE documents.person_id = ${own} AND documents.status <> 'rejected' AND ${hasAllFiles})`,
        "has_documents",
      ),
      hasPayoutMethod: has(
        sql`EXISTS (SELECT 1 FROM withdrawal_methods WHERE withdrawal_methods.creator_id = ${own})`,
        "has_payout_method",
      ),
      followersCount: profiles.followersCount,
      isClosed: has(sql`${profiles.firstStepsClosedAt} IS NOT NULL`, "is_closed"),
    })
    .from(profiles)
    .where(and(eq(profiles.personId, creatorId), eq(profiles.isCreator, true)))
    .limit(1);
}
