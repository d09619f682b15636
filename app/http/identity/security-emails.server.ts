import type { Context } from "#app/domain/context.ts";
import { linkTo, mail, quietly } from "#app/domain/identity/commands/letters.server.ts";
import { securityChangeEmail } from "#app/domain/identity/emails/rules/security-emails.ts";
import type { SecurityChange } from "#app/domain/identity/emails/rules/security-emails.ts";

/** Notifies the primary email of a change. A failed email does not undo the change. */
export async function sendSecurityEmail(
  ctx: Context,
  { email }: { email: string },
  change: SecurityChange,
): Promise<void> {
  const links = { account: linkTo(ctx, "/auth/account"), reset: linkTo(ctx, "/auth/reset") };
  await quietly(ctx, async () =>
    mail(ctx, { key: ctx.newId(), to: email }, securityChangeEmail(change, links)),
  );
}
