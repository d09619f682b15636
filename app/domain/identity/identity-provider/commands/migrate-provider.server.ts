import { and, eq, isNull } from "drizzle-orm";
import { commit, mustChangeOne } from "#app/db/client.server.ts";
import { StaleWrite } from "#app/db/errors.ts";
import type { Context } from "#app/domain/context.ts";
import { people } from "#drizzle/schema/identity.ts";

/**
 * Migrates a person of the embedded identity to the provider that they were moved to, once.
 * Everything of theirs now belongs to that provider's user, and their sign-in here opens nothing.
 * Changes nothing for a person who is deleted, unknown, or of another provider already.
 */
export async function migratePersonToProvider(
  ctx: Context,
  {
    personId,
    provider,
    providerUserId,
  }: { personId: string; provider: string; providerUserId: string },
): Promise<void> {
  const isOurs = and(
    eq(people.id, personId),
    eq(people.provider, "local"),
    isNull(people.deletedAt),
  );
  const former = await ctx.db
    .select({ provider: people.provider, providerUserId: people.providerUserId })
    .from(people)
    .where(isOurs)
    .get();
  if (!former) return;
  try {
    await commit(ctx.db, [
      mustChangeOne(ctx.db.update(people).set({ provider, providerUserId }).where(isOurs)),
      ...ctx.accounts.erasureStatements(former),
    ]);
    ctx.log("identity.person_moved", { personId, provider });
  } catch (error) {
    // Another request of the same person was faster.
    if (!(error instanceof StaleWrite)) throw error;
  }
}
