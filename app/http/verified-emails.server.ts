import type { Context } from "#app/domain/context.ts";
import type { Member } from "#app/domain/identity/schema.ts";
import type { Env } from "#app/env.ts";
import { clerkKeysGiven } from "#app/lib/clerk.ts";

/**
 * The e-mails that are proven to be `member`'s. Clerk gives an account no primary e-mail that it
 * has not verified.
 */
export async function verifiedEmailsOf(env: Env, ctx: Context, member: Member): Promise<string[]> {
  if (clerkKeysGiven(env)) return [member.email];
  const { verifiedEmails } =
    await import("#app/integrations/local-identity/verified-emails.server.ts");
  return verifiedEmails(ctx.db, { personId: member.id });
}
