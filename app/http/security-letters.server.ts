import { apiKeyNames } from "#app/domain/identity/queries/api-keys.server.ts";
import { passwordChangedLetter } from "#app/domain/identity/rules/mails.ts";
import { securityLetter, waysLeftLines } from "#app/domain/identity/rules/security-mails.ts";
import type { SecurityChange } from "#app/domain/identity/rules/security-mails.ts";
import type { Context } from "#app/domain/context.ts";
import { embedded, linkTo, mail, quietly } from "#app/http/account.server.ts";
import type { Asked } from "#app/http/session.server.ts";

/** Tells the primary e-mail what just changed. What was done stays done when the mail cannot go out. */
export async function tellSecurity(
  ctx: Context,
  { email }: { email: string },
  change: SecurityChange,
): Promise<void> {
  const links = { account: linkTo(ctx, "/auth/account"), reset: linkTo(ctx, "/auth/reset") };
  await quietly(ctx, async () =>
    mail(ctx, { key: ctx.newId(), to: email }, securityLetter(change, links)),
  );
}

/**
 * Tells the primary e-mail of a new password, with the passkeys and API keys that it does not
 * close.
 */
export async function tellPasswordChanged(
  asked: Asked,
  { userId }: { userId: string },
): Promise<void> {
  const { ctx } = asked;
  const { accounts, passkeyNames, primaryEmailOf } = await embedded(asked);
  await quietly(ctx, async () => {
    const to = await primaryEmailOf(accounts.db, userId);
    if (to === null) return;
    const [keys, passkeys] = await Promise.all([
      apiKeyNames({ ...ctx, db: accounts.db }, { provider: "local", providerUserId: userId }),
      passkeyNames(accounts.db, userId),
    ]);
    const waysLeft = waysLeftLines({ keys, passkeys }, linkTo(ctx, "/auth/account"));
    await mail(
      ctx,
      { key: ctx.newId(), to },
      passwordChangedLetter({ reset: linkTo(ctx, "/auth/reset"), waysLeft }),
    );
  });
}
