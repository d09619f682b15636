import type { Context } from "#app/domain/context.ts";
import type { EmailContent } from "#app/domain/identity/emails/rules/emails.ts";

/** Sends a letter under its key: the same key twice is one letter. Throws when it cannot go out. */
export async function mail(
  ctx: Context,
  { key, to }: { key: string; to: string },
  letter: EmailContent,
): Promise<void> {
  await ctx.mailer.send({ key, to, ...letter });
}

/** A path of ours as a letter carries it: with the origin. */
export const linkTo = (ctx: Context, path: string): string => `${ctx.settings.appOrigin}${path}`;

/** For what is done already or must not be waited for: a failure is logged and told to nobody. */
export async function quietly(ctx: Context, act: () => Promise<void>): Promise<void> {
  try {
    await act();
  } catch (error) {
    ctx.log("identity.mail_failed", { error: error instanceof Error ? error.name : "unknown" });
  }
}
