import type { Context } from "#app/domain/context.ts";
import type { EmailContent } from "#app/domain/identity/emails/rules/emails.ts";

/** Sends an email once per key. Throws when it cannot be sent. */
export async function mail(
  ctx: Context,
  { key, to }: { key: string; to: string },
  letter: EmailContent,
): Promise<void> {
  await ctx.mailer.send({ key, to, ...letter });
}

/** Returns the full URL of a path, for emails. */
export const linkTo = (ctx: Context, path: string): string => `${ctx.settings.appOrigin}${path}`;

/** Runs what is done already or must not be waited for: a failure is logged and not thrown. */
export async function quietly(ctx: Context, act: () => Promise<void>): Promise<void> {
  try {
    await act();
  } catch (error) {
    ctx.log("identity.mail_failed", { error: error instanceof Error ? error.name : "unknown" });
  }
}
