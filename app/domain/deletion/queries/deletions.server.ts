import { and, asc, desc, eq, inArray, isNull, lte, or } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import { REMINDER_DAYS } from "#app/domain/deletion/rules.ts";
import type { AccountDeletion, DeletionStatus } from "#app/domain/deletion/schema.ts";
import { isRetryDue } from "#app/domain/retry-backoff/queries.server.ts";
import { addDays } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";
import { accountDeletions } from "#drizzle/schema/deletion.ts";
import { people } from "#drizzle/schema/identity.ts";

/** The trigger `account_deletions_state_update` refuses any other status. */
const asDeletion = (row: typeof accountDeletions.$inferSelect): AccountDeletion => ({
  ...row,
  status: row.status as DeletionStatus,
});

/** Reads the whole row, for commands. */
export async function deletionRow(
  ctx: Context,
  { deletionId }: { deletionId: string },
): Promise<AccountDeletion | null> {
  const row = await ctx.db
    .select()
    .from(accountDeletions)
    .where(eq(accountDeletions.id, deletionId))
    .get();
  return row ? asDeletion(row) : null;
}

/** Reads a person's open deletion, or null. */
export async function openDeletion(
  ctx: Context,
  { personId }: { personId: string },
): Promise<AccountDeletion | null> {
  const row = await ctx.db
    .select()
    .from(accountDeletions)
    .where(
      and(
        eq(accountDeletions.personId, personId),
        inArray(accountDeletions.status, ["requested", "closing"]),
      ),
    )
    .orderBy(desc(accountDeletions.requestedAt))
    .get();
  return row ? asDeletion(row) : null;
}

/** Returns deletions that may have a due step at `now`, the longest due first. */
export async function dueDeletions(
  ctx: Context,
  { now, limit }: { now: Instant; limit: number },
): Promise<string[]> {
  const rows = await ctx.db
    .select({ id: accountDeletions.id })
    .from(accountDeletions)
    .where(
      and(
        isRetryDue(ctx, accountDeletions.id),
        or(
          and(
            eq(accountDeletions.status, "requested"),
            or(
              lte(accountDeletions.dueAt, now),
              and(
                isNull(accountDeletions.remindedAt),
                lte(accountDeletions.dueAt, addDays(now, REMINDER_DAYS)),
              ),
            ),
          ),
          eq(accountDeletions.status, "closing"),
          and(eq(accountDeletions.status, "done"), isNull(accountDeletions.finishedAt)),
        ),
      ),
    )
    .orderBy(asc(accountDeletions.dueAt))
    .limit(limit);
  return rows.map((row) => row.id);
}

export type DeletedAccountPerson = {
  personId: string;
  provider: string;
  providerUserId: string;
  email: string;
};

/** Reads the person of a deletion, as their identity provider knows them. */
export async function personOfDeletion(
  ctx: Context,
  { personId }: { personId: string },
): Promise<DeletedAccountPerson | null> {
  const row = await ctx.db
    .select({
      personId: people.id,
      provider: people.provider,
      providerUserId: people.providerUserId,
      email: people.email,
    })
    .from(people)
    .where(eq(people.id, personId))
    .get();
  return row ?? null;
}
