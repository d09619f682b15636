import { and, eq, isNull, lt, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import { mustChangeOne } from "#app/db/client.server.ts";
import type { BatchWrite } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { FORMER_EMAIL_DAYS } from "#app/domain/identity/contacts/rules/former-emails.ts";
import { addDays } from "#app/domain/time.ts";
import { formerEmails, people } from "#drizzle/schema/identity.ts";

/**
 * Builds the statements that change the e-mail of a provider's user here, for one batch with the
 * provider's own. The database refuses another person's e-mail (`people.email`). The former one is
 * stored for thirty days.
 */
export function personEmailStatements(
  ctx: Context,
  { provider, providerUserId, email }: { provider: string; providerUserId: string; email: string },
): BatchWrite[] {
  const isTheirs = and(eq(people.provider, provider), eq(people.providerUserId, providerUserId));
  return [
    formerEmailStatement(ctx, isTheirs, { email }),
    mustChangeOne(ctx.db.update(people).set({ email }).where(isTheirs)),
  ];
}

/**
 * Builds the statement that stores the former e-mail of the matching person, before it changes to
 * `email`. Does nothing when it is the same.
 */
export function formerEmailStatement(
  ctx: Context,
  person: SQL | undefined,
  { email }: { email: string },
): BatchWrite {
  const leftAt = sql<number>`CAST(${ctx.now()} AS INTEGER)`.as("left_at");
  return ctx.db
    .insert(formerEmails)
    .select(
      ctx.db
        .select({ personId: people.id, email: people.email, leftAt })
        .from(people)
        .where(and(person, isNull(people.deletedAt), sql`${people.email} <> ${email}`)),
    )
    .onConflictDoUpdate({
      target: [formerEmails.personId, formerEmails.email],
      set: { leftAt: sql`excluded.left_at` },
    });
}

/** Purges e-mails that people replaced more than thirty days ago. */
export async function purgeFormerEmails(ctx: Context): Promise<void> {
  await ctx.db
    .delete(formerEmails)
    .where(lt(formerEmails.leftAt, addDays(ctx.now(), -FORMER_EMAIL_DAYS)));
}
