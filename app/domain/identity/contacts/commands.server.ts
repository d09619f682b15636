import { and, eq, isNull, lt, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import { mustChangeOne } from "#app/db/client.server.ts";
import type { BatchWrite } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { FORMER_EMAIL_DAYS } from "#app/domain/identity/contacts/rules/former-emails.ts";
import { addDays } from "#app/domain/time.ts";
import { formerEmails, people } from "#drizzle/schema/identity.ts";

/**
 * The statements that give a provider's user another e-mail with us, to go in one batch with the
 * provider's own. The database refuses an e-mail that is somebody else's (`people.email`). The one
 * before is kept for thirty days.
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
 * The statement that keeps the e-mail that who matches `createPerson` leaves for `email`, before it
 * changes. Nothing where it is the same.
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

/** Forgets the e-mails that somebody left more than thirty days ago. */
export async function purgeFormerEmails(ctx: Context): Promise<void> {
  await ctx.db
    .delete(formerEmails)
    .where(lt(formerEmails.leftAt, addDays(ctx.now(), -FORMER_EMAIL_DAYS)));
}
