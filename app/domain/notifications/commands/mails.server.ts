import type { Context } from "#app/domain/context.ts";
import { isOptional, NOTIFICATION_KINDS } from "#app/domain/notifications/rules/kinds.ts";
import { emailsOfPeople } from "#app/domain/notifications/queries.server.ts";
import { addressStatuses } from "#app/domain/notifications/queries/addresses.server.ts";
import {
  normalizedAddress,
  isAddressOpen,
  OPEN_ADDRESS,
} from "#app/domain/notifications/rules/addresses.ts";
import { isChosen, isSentAtOnce } from "#app/domain/notifications/rules/deliveries.ts";
import type { Delivery } from "#app/domain/notifications/rules/deliveries.ts";
import type { CategorizedNotification, MailText, NotificationDraft } from "#app/domain/outbox.ts";
import { recordSuppressed } from "./addresses.server.ts";
import { unsubscribeAddress } from "./choices.server.ts";

/**
 * Sends the emails of one message that the message waits for, to who did not switch the kind off
 * and whose address takes it, each once by the message and the recipient's index.
 */
export async function sendMails(
  ctx: Context,
  { outboxId, drafts, ...chosen }: Delivery,
): Promise<void> {
  const emails = await emailsOfPeople(ctx, {
    personIds: drafts.flatMap((draft) => (isSentAtOnce(draft) ? (draft.personId ?? []) : [])),
  });
  const addressOf = ({ email, personId }: CategorizedNotification) =>
    email ?? (personId === null ? undefined : emails.get(personId));
  const statuses = await addressStatuses(ctx, {
    addresses: drafts.flatMap((draft) => addressOf(draft) ?? []),
  });
  for (const [index, draft] of drafts.entries()) {
    const to = addressOf(draft);
    if (!draft.mail || !to || !isSentAtOnce(draft) || !isChosen(chosen, draft, "mail")) continue;
    // Who has no account cannot undo a stop: the email service decides.
    const status = draft.personId === null ? undefined : statuses.get(normalizedAddress(to));
    const key = `${outboxId}:${index}`;
    if (!isAddressOpen(status ?? OPEN_ADDRESS, draft.about)) {
      ctx.log("mail.skipped", { key, kind: draft.about });
      continue;
    }
    const { subject, body } = draft.mail;
    const outcome = await ctx.mailer.send({
      key,
      to,
      subject,
      body,
      ...actionOf(ctx, draft, draft.mail),
      ...(await reasonOf(ctx, draft)),
    });
    if (outcome === "suppressed") await recordSuppressed(ctx, to);
  }
}

/**
 * Returns the page that an email is about, where its text names no page of ours. A recipient
 * without an account could not open it.
 */
export function actionOf(
  { settings: { appOrigin } }: Context,
  { personId, path }: Pick<NotificationDraft, "personId" | "path">,
  { body, button }: Pick<MailText, "body" | "button">,
): { actionUrl?: string; actionLabel?: string } {
  return personId === null || body.includes(`${appOrigin}/`)
    ? {}
    : {
        actionUrl: `${appOrigin}${path}`,
        ...(button === undefined ? {} : { actionLabel: button }),
      };
}

/** Returns why an email came, and the address that stops it; or that nobody can stop it. */
export async function reasonOf(
  ctx: Context,
  { personId, about }: Pick<CategorizedNotification, "personId" | "about">,
): Promise<{ reason?: string; unsubscribeUrl?: string }> {
  if (personId === null) return {};
  const reason = `Você recebe este e-mail porque ${NOTIFICATION_KINDS[about].reason}.`;
  return isOptional(about, "mail")
    ? { reason, unsubscribeUrl: await unsubscribeAddress(ctx, { personId, kind: about }) }
    : { reason: `${reason} Ele não pode ser desligado.` };
}
