import { and, asc, eq, lte, sql } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import {
  memberNotifications,
  unreadCountBetween,
} from "#app/domain/notifications/queries.server.ts";
import { DIGEST_LINES } from "#app/domain/notifications/rules/digests.ts";
import { DEFAULT_HOURS } from "#app/domain/notifications/rules/quiet-hours.ts";
import type { AddressStatus } from "#app/domain/notifications/rules/addresses.ts";
import type { DigestRhythm } from "#app/domain/notifications/rules/digests.ts";
import { isRetryDue } from "#app/domain/retry-backoff/queries.server.ts";
import type { Instant } from "#app/domain/time.ts";
import { people } from "#drizzle/schema/identity.ts";
import {
  notificationHours,
  notificationDigests,
  stoppedAddresses,
} from "#drizzle/schema/notifications.ts";

/** How often a person gets what is unread by email. */
export async function digestRhythmOf(
  ctx: Context,
  { personId }: { personId: string },
): Promise<DigestRhythm> {
  const [row] = await ctx.db
    .select({ rhythm: notificationDigests.rhythm })
    .from(notificationDigests)
    .where(eq(notificationDigests.personId, personId));
  return row?.rhythm ?? "never";
}

/**
 * Returns up to `limit` people whose digest is due at `now`, the longest due first. One that failed
 * waits for its next attempt.
 */
export async function peopleWithDueDigest(
  ctx: Context,
  { now, limit }: { now: Instant; limit: number },
): Promise<string[]> {
  const rows = await ctx.db
    .select({ personId: notificationDigests.personId })
    .from(notificationDigests)
    .where(
      and(
        lte(notificationDigests.dueAt, now),
        isRetryDue(ctx, notificationDigests.personId, "digest"),
      ),
    )
    .orderBy(asc(notificationDigests.dueAt))
    .limit(limit);
  return rows.map(({ personId }) => personId);
}

type DueDigest = {
  email: string;
  rhythm: Exclude<DigestRhythm, "never">;
  dueAt: Instant;
  sentUntil: Instant;
  /** The person's, an IANA name. */
  timeZone: string;
  /** False for deleted and banned people. */
  isReachable: boolean;
  address: AddressStatus;
};

/** Reads a person's digest; null if it is not due. */
export async function dueDigest(
  ctx: Context,
  { personId }: { personId: string },
): Promise<DueDigest | null> {
  const { rhythm, dueAt, sentUntil } = notificationDigests;
  const [row] = await ctx.db
    .select({
      email: people.email,
      rhythm,
      dueAt,
      sentUntil,
      timeZone: sql<string>`COALESCE(${notificationHours.timeZone}, ${DEFAULT_HOURS.timeZone})`.as(
        "person_time_zone",
      ),
      isReachable: sql`(${people.deletedAt} IS NULL AND ${people.bannedAt} IS NULL)`
        .mapWith(Boolean)
        .as("is_reachable"),
      bouncedAt: stoppedAddresses.bouncedAt,
      complainedAt: stoppedAddresses.complainedAt,
    })
    .from(notificationDigests)
    .innerJoin(people, eq(people.id, notificationDigests.personId))
    .leftJoin(notificationHours, eq(notificationHours.personId, people.id))
    .leftJoin(stoppedAddresses, sql`${stoppedAddresses.address} = lower(${people.email})`)
    .where(and(eq(notificationDigests.personId, personId), lte(dueAt, ctx.now())));
  if (!row) return null;
  const { bouncedAt, complainedAt, ...digest } = row;
  const address = { hasBounced: bouncedAt !== null, hasComplained: complainedAt !== null };
  return { ...digest, address };
}

/**
 * Reads what a digest shows: the newest unread notifications after `since` and up to `until`, as
 * the person may see them now, and how many there are, up to 100.
 */
export async function digestContent(
  ctx: Context,
  { personId, since, until }: { personId: string; since: Instant; until: Instant },
): Promise<{ bodies: string[]; total: number }> {
  const page = await memberNotifications(ctx, {
    personId,
    cursor: null,
    limit: DIGEST_LINES,
    filter: "unread",
    since,
    until,
  });
  const total = await unreadCountBetween(ctx, { personId, since, until });
  return { bodies: page.items.map(({ body }) => body), total };
}
