import { and, eq, sql } from "drizzle-orm";
import { commit, mustChangeOne } from "#app/db/client.server.ts";
import { StaleWrite, UniqueViolation } from "#app/db/errors.ts";
import type { Context } from "#app/domain/context.ts";
import { creatorLinks } from "#drizzle/schema/analytics.ts";
import { LinkNotFound, LinkSlugTaken, TooManyLinks } from "./errors.ts";
import type { LinkInput } from "./schema.ts";

const MOST_ACTIVE = 50;
/** Archived ones keep their slug, which the counts of earlier days are stored by. */
const MOST_EVER = 500;

type Which = { creatorId: string; slug: string };

/**
 * Creates a link to a creator's page. Its slug is unique among the creator's, archived ones
 * included, and never changes. Refuses LinkSlugTaken, and TooManyLinks.
 */
export async function createLink(
  ctx: Context,
  { creatorId, name, slug }: LinkInput & { creatorId: string },
): Promise<void> {
  try {
    await commit(ctx.db, [
      ctx.db.insert(creatorLinks).values({ creatorId, slug, name, createdAt: ctx.now() }),
      withinLimits(ctx, { creatorId, slug }, { archivedAt: null }),
    ]);
  } catch (error) {
    if (error instanceof UniqueViolation) throw new LinkSlugTaken();
    throw error instanceof StaleWrite ? new TooManyLinks(MOST_ACTIVE) : error;
  }
}

/**
 * Archives a link, or takes it back. Its address goes on leading to the page, and what it counted
 * stays; an archived one counts nothing more. Safe to repeat. Refuses LinkNotFound, and
 * TooManyLinks for one taken back.
 */
export async function archiveLink(
  ctx: Context,
  { isArchived, ...which }: Which & { isArchived: boolean },
): Promise<void> {
  const rows = await ctx.db.select().from(creatorLinks).where(isLink(which));
  if (rows.length === 0) throw new LinkNotFound();
  try {
    await commit(ctx.db, [
      isArchived
        ? ctx.db.update(creatorLinks).set({ archivedAt: ctx.now() }).where(isLink(which))
        : withinLimits(ctx, which, { archivedAt: null }),
    ]);
  } catch (error) {
    throw error instanceof StaleWrite ? new TooManyLinks(MOST_ACTIVE) : error;
  }
}

const isLink = ({ creatorId, slug }: Which) =>
  and(eq(creatorLinks.creatorId, creatorId), eq(creatorLinks.slug, slug));

/** Changes the link only while the creator has no more others than may be. */
function withinLimits(ctx: Context, which: Which, set: { archivedAt: null }) {
  const others = sql`FROM creator_links AS others WHERE others.creator_id = ${which.creatorId} AND others.slug <> ${which.slug}`;
  return mustChangeOne(
    ctx.db
      .update(creatorLinks)
      .set(set)
      .where(
        and(
          isLink(which),
          sql`(SELECT COUNT(*) ${others} AND others.archived_at IS NULL) < CAST(${MOST_ACTIVE} AS INTEGER)`,
          sql`(SELECT COUNT(*) ${others}) < CAST(${MOST_EVER} AS INTEGER)`,
        ),
      ),
  );
}
