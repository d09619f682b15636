import { rateLimitResetAt } from "#app/domain/rate-limits/queries.server.ts";
import { and, eq, isNull, or, sql } from "drizzle-orm";
import { commit } from "#app/db/client.server.ts";
import type { DbStatement } from "#app/db/client.server.ts";
import { StaleWrite } from "#app/db/errors.ts";
import type { Context } from "#app/domain/context.ts";
import { rateLimitStatements } from "#app/domain/rate-limits/commands.server.ts";
import { NotASubscriber, TooManyFeeds } from "#app/domain/syndication/errors.ts";
import { feedOfSubscription } from "#app/domain/syndication/queries/feeds.server.ts";
import { FEED_TOKEN_RATE_LIMITS } from "#app/domain/syndication/schema.ts";
import { privateFeeds } from "#drizzle/schema/syndication.ts";

type PrivateFeedRef = { personId: string; username: string };

/**
 * Creates a subscriber's private feed of a creator. The previous address stops working. `tokenHash`
 * is the SHA-256 of the token, which is not stored. Refuses people without a current subscription,
 * and more than 20 a day.
 */
export async function issuePrivateFeed(
  ctx: Context,
  { personId, username, tokenHash }: PrivateFeedRef & { tokenHash: string },
): Promise<void> {
  const subscription = await feedOfSubscription(ctx, { personId, username });
  if (!subscription) throw new NotASubscriber();
  const { subscriptionId, creatorId } = subscription;
  const feedId = ctx.newId();
  const counted = { act: "feed", personId, limits: FEED_TOKEN_RATE_LIMITS };
  try {
    await commit(ctx.db, [
      ...rateLimitStatements(ctx, counted),
      ctx.db
        .update(privateFeeds)
        .set({ revokedAt: ctx.now() })
        .where(
          and(
            eq(privateFeeds.personId, personId),
            eq(privateFeeds.creatorId, creatorId),
            isNull(privateFeeds.revokedAt),
          ),
        ),
      ctx.db.insert(privateFeeds).values({
        id: feedId,
        personId,
        creatorId,
        subscriptionId,
        tokenHash,
        createdAt: ctx.now(),
      }),
    ]);
  } catch (error) {
    throw error instanceof StaleWrite
      ? new TooManyFeeds(await rateLimitResetAt(ctx, counted))
      : error;
  }
  ctx.log("syndication.feed_issued", { personId, feedId });
}

/** Revokes the person's feed of a creator. Safe to repeat. */
export async function revokePrivateFeed(
  ctx: Context,
  { personId, username }: PrivateFeedRef,
): Promise<void> {
  const ofThem = sql`${privateFeeds.creatorId} = (SELECT person_id FROM profiles WHERE username = ${username.toLowerCase()})`;
  await commit(ctx.db, [
    ctx.db
      .update(privateFeeds)
      .set({ revokedAt: ctx.now() })
      .where(and(eq(privateFeeds.personId, personId), ofThem, isNull(privateFeeds.revokedAt))),
  ]);
  ctx.log("syndication.feed_revoked", { personId });
}

/** Builds the statement that deletes a person's feeds, and those of others about them. */
export function erasePrivateFeedsStatement(
  ctx: Context,
  { personId }: { personId: string },
): DbStatement {
  return ctx.db
    .delete(privateFeeds)
    .where(or(eq(privateFeeds.personId, personId), eq(privateFeeds.creatorId, personId)));
}
