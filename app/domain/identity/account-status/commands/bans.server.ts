import { and, eq, isNotNull, isNull, not, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import { mustChangeOne } from "#app/db/client.server.ts";
import type { BatchWrite } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { people } from "#drizzle/schema/identity.ts";

/** Bans a person: they cannot access anything. Stale when they are banned already, or deleted. */
export function banStatement(ctx: Context, { personId }: { personId: string }): BatchWrite {
  return mustChangeOne(
    ctx.db
      .update(people)
      .set({ bannedAt: ctx.now() })
      .where(and(eq(people.id, personId), isNull(people.bannedAt), isNull(people.deletedAt))),
  );
}

/** Bans a person, or leaves the ban of a suspension as it is. Stale when they are deleted. */
export function continueBanStatement(ctx: Context, { personId }: { personId: string }): BatchWrite {
  return mustChangeOne(
    ctx.db
      .update(people)
      .set({ bannedAt: sql`coalesce(${people.bannedAt}, ${ctx.now()})` })
      .where(and(eq(people.id, personId), isNull(people.deletedAt))),
  );
}

/** Ends a ban. Stale when there is none, or the person is deleted. */
export function unbanStatement(ctx: Context, person: { personId: string }): BatchWrite {
  return mustChangeOne(endBanStatement(ctx, person));
}

/**
 * Ends a ban if there is one, for a decision that was undone or is over. Changes nothing where
 * `unless` is true.
 */
export function endBanStatement(
  ctx: Context,
  { personId, unless }: { personId: string; unless?: SQL },
) {
  return ctx.db
    .update(people)
    .set({ bannedAt: null })
    .where(
      and(
        eq(people.id, personId),
        isNotNull(people.bannedAt),
        isNull(people.deletedAt),
        unless ? not(unless) : undefined,
      ),
    );
}
