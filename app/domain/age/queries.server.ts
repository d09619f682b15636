import { and, eq, or, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import { isHiddenByAge, isBlockedBetween } from "#app/domain/access/sql.server.ts";
import type { AgeStatus } from "./rules.ts";
import type { Context } from "#app/domain/context.ts";
import type { Documents } from "#app/domain/documents/schema.ts";
import type { Instant } from "#app/domain/time.ts";
import { ageChecks } from "#drizzle/schema/age.ts";
import { collections } from "#drizzle/schema/collections.ts";
import { documents } from "#drizzle/schema/documents.ts";
import { people } from "#drizzle/schema/identity.ts";
import { posts } from "#drizzle/schema/posts.ts";
import { profiles } from "#drizzle/schema/profiles.ts";

export type AgeCheckRow = { id: string; answer: "yes" | "no" | null; expiresAt: Instant };

/**
 * Reads what decides whether a person can start a check, and their latest check. Null for an
 * unknown person.
 */
export async function loadAgeStatus(
  ctx: Context,
  { personId }: { personId: string },
): Promise<(AgeStatus & { check: AgeCheckRow | null }) | null> {
  const [row] = await ctx.db
    .select({
      birthDate: people.birthDate,
      ageCheckedAt: people.ageCheckedAt,
      checkId: sql<string | null>`${ageChecks.id}`.as("check_id"),
      answer: ageChecks.answer,
      answeredAt: ageChecks.answeredAt,
      expiresAt: ageChecks.expiresAt,
    })
    .from(people)
    .leftJoin(ageChecks, eq(ageChecks.personId, people.id))
    .where(eq(people.id, personId))
    .limit(1);
  if (!row) return null;
  const { birthDate, ageCheckedAt, checkId, answer, answeredAt, expiresAt } = row;
  return {
    birthDate,
    ageCheckedAt,
    refusedAt: answer === "no" ? answeredAt : null,
    check: checkId !== null && expiresAt !== null ? { id: checkId, answer, expiresAt } : null,
  };
}

export type AdultPage = {
  isCreator: boolean;
  isAdult: boolean;
  publishedCount: number;
  documents: Pick<Documents, "status" | "birthDate"> | null;
};

/** Builds the statement that reads whether a person's page is marked, for a page's batch. */
export function adultMarkStatement(ctx: Context, { personId }: { personId: string }) {
  return ctx.db
    .select({ isAdult: profiles.isAdult })
    .from(profiles)
    .where(eq(profiles.personId, personId))
    .limit(1);
}

/** Reads whether a person's page is for adults, and what marking it depends on. */
export async function adultPageOf(
  ctx: Context,
  { personId }: { personId: string },
): Promise<AdultPage | null> {
  const [row] = await ctx.db
    .select({
      isCreator: profiles.isCreator,
      isAdult: profiles.isAdult,
      publishedCount: profiles.postsCount,
      status: documents.status,
      birthDate: documents.birthDate,
    })
    .from(profiles)
    .leftJoin(documents, eq(documents.personId, profiles.personId))
    .where(eq(profiles.personId, personId))
    .limit(1);
  if (!row) return null;
  const { status, birthDate, ...page } = row;
  return {
    ...page,
    documents: status !== null && birthDate !== null ? { status, birthDate } : null,
  };
}

/**
 * Returns the page of a published post that the age of `viewerId` (null for a visitor) closes; null
 * when it does not.
 */
export async function ageGateOfPost(
  ctx: Context,
  { postId, viewerId }: { postId: string; viewerId: string | null },
): Promise<{ username: string } | null> {
  const [row] = await ctx.db
    .select({ username: profiles.username })
    .from(posts)
    .innerJoin(profiles, eq(profiles.personId, posts.authorId))
    .where(
      and(
        eq(posts.id, postId),
        sql`posts.state = 'published' AND posts.deleted_at IS NULL AND posts.held_at IS NULL AND ${isMet(viewerId, sql`posts.author_id`)} AND ${isHiddenByAge(viewerId, sql`posts.author_id`, ctx.settings.adultSpaces)}`,
      ),
    )
    .limit(1);
  return row ?? null;
}

/**
 * True when the owner is neither banned nor leaving, and no block is between them: then only the
 * age hides the page.
 */
const isMet = (viewerId: string | null, ownerId: SQL): SQL =>
  sql`NOT EXISTS (SELECT 1 FROM people gone WHERE gone.id = ${ownerId} AND (gone.banned_at IS NOT NULL OR gone.leaving_at IS NOT NULL)) AND NOT ${isBlockedBetween(sql`${viewerId}`, ownerId)}`;

/** Does the same for the page of a plan, a username or a person's id, as in a checkout's URL. */
export async function ageGateOfPage(
  ctx: Context,
  { key, viewerId }: { key: { planId: string } | { page: string }; viewerId: string | null },
): Promise<{ username: string } | null> {
  const isIt =
    "planId" in key
      ? sql`profiles.person_id = (SELECT sold.creator_id FROM plans sold WHERE sold.id = ${key.planId} AND sold.state <> 'draft')`
      : or(eq(profiles.personId, key.page), eq(profiles.username, key.page.toLowerCase()));
  const [row] = await ctx.db
    .select({ username: profiles.username })
    .from(profiles)
    .where(
      and(
        isIt,
        eq(profiles.isCreator, true),
        sql`${isMet(viewerId, sql`profiles.person_id`)} AND ${isHiddenByAge(viewerId, sql`profiles.person_id`, ctx.settings.adultSpaces)}`,
      ),
    )
    .limit(1);
  return row ?? null;
}

/** Does the same for a collection. */
export async function ageGateOfCollection(
  ctx: Context,
  { collectionId, viewerId }: { collectionId: string; viewerId: string | null },
): Promise<{ username: string } | null> {
  const [row] = await ctx.db
    .select({ username: profiles.username })
    .from(collections)
    .innerJoin(profiles, eq(profiles.personId, collections.creatorId))
    .where(
      and(
        eq(collections.id, collectionId),
        sql`collections.deleted_at IS NULL AND collections.held_at IS NULL AND ${isMet(viewerId, sql`collections.creator_id`)} AND ${isHiddenByAge(viewerId, sql`collections.creator_id`, ctx.settings.adultSpaces)}`,
      ),
    )
    .limit(1);
  return row ?? null;
}
