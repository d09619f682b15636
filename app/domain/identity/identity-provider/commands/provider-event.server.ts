import { and, eq, isNull, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import { commit } from "#app/db/client.server.ts";
import type { BatchWrite } from "#app/db/client.server.ts";
import { UniqueViolation } from "#app/db/errors.ts";
import type { Context } from "#app/domain/context.ts";
import type { IdentityProviderEvent } from "#app/domain/identity/identity-provider/schema/provider-event.ts";
import { formerEmailStatement } from "#app/domain/identity/contacts/commands.server.ts";
import { people, providerAccounts } from "#drizzle/schema/identity.ts";

type ProviderUserChanged = Extract<IdentityProviderEvent, { kind: "changed" }> & {
  provider: string;
};
export type ProviderEventOutcome = "applied" | "email_taken";

/**
 * Applies a hosted provider's event of a user: the e-mail, a ban and its end, a deletion. The
 * product may not know the user yet. Safe to repeat and in any order. An event older than the known
 * state changes nothing, and nothing follows a deletion. It never lifts a ban by our own
 * moderators. Leaves out, and reports, an e-mail that another person has here.
 */
export async function applyProviderEvent(
  ctx: Context,
  { provider, event }: { provider: string; event: IdentityProviderEvent },
): Promise<ProviderEventOutcome> {
  if (event.kind === "deleted") {
    await commit(ctx.db, deletion(ctx, provider, event.providerUserId));
    return "applied";
  }
  const changed = { ...event, provider };
  try {
    await commit(ctx.db, change(ctx, changed));
    return "applied";
  } catch (error) {
    if (!(error instanceof UniqueViolation) || changed.email === null) throw error;
    await commit(ctx.db, change(ctx, { ...changed, email: null }));
    return "email_taken";
  }
}

/** Writes people first, while the account row still has its former values. */
function change(
  ctx: Context,
  { provider, providerUserId, version, email, isBanned }: ProviderUserChanged,
): BatchWrite[] {
  const isNewer = sql`NOT EXISTS (SELECT 1 FROM ${providerAccounts} WHERE ${ofAccount(provider, providerUserId)}
    AND (${providerAccounts.updatedAt} >= ${version} OR ${providerAccounts.deletedAt} IS NOT NULL))`;
  const theirBan = sql`(SELECT ${providerAccounts.bannedAt} FROM ${providerAccounts} WHERE ${ofAccount(provider, providerUserId)})`;
  const person = and(ofPerson(provider, providerUserId), isNewer);
  return [
    ...(email === null
      ? []
      : [
          formerEmailStatement(ctx, person, { email }),
          ctx.db.update(people).set({ email }).where(person),
        ]),
    isBanned
      ? ctx.db
          .update(people)
          .set({ bannedAt: version })
          .where(and(person, isNull(people.bannedAt)))
      : ctx.db
          .update(people)
          .set({ bannedAt: null })
          .where(and(person, sql`${people.bannedAt} = ${theirBan}`)),
    ctx.db
      .insert(providerAccounts)
      .values({ provider, providerUserId, updatedAt: version, bannedAt: isBanned ? version : null })
      .onConflictDoUpdate({
        target: [providerAccounts.provider, providerAccounts.providerUserId],
        set: {
          updatedAt: version,
          bannedAt: isBanned ? sql`coalesce(${providerAccounts.bannedAt}, ${version})` : null,
        },
        setWhere: sql`${providerAccounts.updatedAt} < ${version} AND ${providerAccounts.deletedAt} IS NULL`,
      }),
  ];
}

/** A person deleted there cannot sign in any more. What the law requires is retained. */
function deletion(ctx: Context, provider: string, providerUserId: string): BatchWrite[] {
  const now = ctx.now();
  return [
    ctx.db
      .update(people)
      .set({ bannedAt: now })
      .where(and(ofPerson(provider, providerUserId), isNull(people.bannedAt))),
    ctx.db
      .insert(providerAccounts)
      .values({ provider, providerUserId, updatedAt: now, deletedAt: now })
      .onConflictDoUpdate({
        target: [providerAccounts.provider, providerAccounts.providerUserId],
        set: { deletedAt: sql`coalesce(${providerAccounts.deletedAt}, ${now})` },
      }),
  ];
}

function ofPerson(provider: string, providerUserId: string): SQL | undefined {
  return and(eq(people.provider, provider), eq(people.providerUserId, providerUserId));
}

function ofAccount(provider: string, providerUserId: string): SQL | undefined {
  return and(
    eq(providerAccounts.provider, provider),
    eq(providerAccounts.providerUserId, providerUserId),
  );
}
