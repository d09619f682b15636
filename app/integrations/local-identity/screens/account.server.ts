import { linkTo, mail, quietly } from "#app/domain/identity/commands/letters.server.ts";
import { apiKeyNames } from "#app/domain/identity/api-keys/queries.server.ts";
import { passwordChangedEmail } from "#app/domain/identity/emails/rules/emails.ts";
import { firstPasswordEmail } from "#app/domain/identity/external-accounts/rules.ts";
import { remainingAccessLines } from "#app/domain/identity/emails/rules/security-emails.ts";
import type { AccountStatus } from "#app/domain/identity/account/schema.ts";
import {
  localAccountStatus as statusOf,
  changePassword,
  endSession,
  setFirstPassword,
  passkeyNames,
  confirmPasswordRecently,
} from "#app/integrations/local-identity/account/account.server.ts";
import { primaryEmailOf } from "#app/integrations/local-identity/registration/identifiers.server.ts";
import { accountsOf } from "./asked.server.ts";
import type { LocalAsked } from "./asked.server.ts";

/** The account status of the current user. Refuses a request without a session. */
export const accountStatus = (asked: LocalAsked): Promise<AccountStatus> =>
  statusOf(accountsOf(asked), asked.request);

/** "Confirme a sua senha": counts as recent authentication for ten minutes. */
export async function confirmPassword(
  asked: LocalAsked,
  input: { currentPassword: string },
): Promise<void> {
  await confirmPasswordRecently(accountsOf(asked), asked.request, input);
}

/** "Trocar senha". The other sessions end, and the primary email is notified. */
export async function changeOwnPassword(
  asked: LocalAsked,
  input: { currentPassword: string; password: string },
): Promise<void> {
  await notifyPasswordChanged(asked, await changePassword(accountsOf(asked), asked.request, input));
}

/** "Criar senha", for an account from an external provider. The address is notified. */
export async function makeOwnPassword(
  asked: LocalAsked,
  input: { password: string },
): Promise<void> {
  const { email } = await setFirstPassword(accountsOf(asked), asked.request, input);
  await quietly(asked.ctx, async () =>
    mail(
      asked.ctx,
      { key: asked.ctx.newId(), to: email },
      firstPasswordEmail({ reset: linkTo(asked.ctx, "/auth/reset") }),
    ),
  );
}

/** Ends one session of the current user. False if they have no such session. */
export async function endOneSession(
  asked: LocalAsked,
  input: { sessionId: string },
): Promise<boolean> {
  return endSession(accountsOf(asked), asked.request, input);
}

/**
 * Notifies the primary email of a new password, with the passkeys and API keys that it does not
 * revoke. A failed email does not undo the change.
 */
export async function notifyPasswordChanged(
  asked: LocalAsked,
  { userId }: { userId: string },
): Promise<void> {
  const { ctx } = asked;
  const accounts = accountsOf(asked);
  await quietly(ctx, async () => {
    const to = await primaryEmailOf(accounts.db, userId);
    if (to === null) return;
    const [keys, passkeys] = await Promise.all([
      apiKeyNames({ ...ctx, db: accounts.db }, { provider: "local", providerUserId: userId }),
      passkeyNames(accounts.db, userId),
    ]);
    const waysLeft = remainingAccessLines({ keys, passkeys }, linkTo(ctx, "/auth/account"));
    await mail(
      ctx,
      { key: ctx.newId(), to },
      passwordChangedEmail({ reset: linkTo(ctx, "/auth/reset"), waysLeft }),
    );
  });
}
