import type { Context } from "#app/domain/context.ts";
import { isOptional, NOTIFICATION_KINDS } from "#app/domain/notifications/rules/kinds.ts";
import { emailsOfPeople } from "#app/domain/notifications/queries.server.ts";
import { isChosen } from "#app/domain/notifications/rules/deliveries.ts";
import type { Delivery } from "#app/domain/notifications/rules/deliveries.ts";
import type { KindedNotification, NotificationDraft } from "#app/domain/outbox.ts";
import { unsubscribeAddress } from "./choices.server.ts";

/**
 * Sends the emails of one message to who did not switch the kind off, each once by the message and
 * the recipient's index.
 */
export async function sendMails(
  ctx: Context,
  { outboxId, drafts, choices }: Delivery,
): Promise<void> {
  const emails = await emailsOfPeople(ctx, {
    personIds: drafts.flatMap(({ personId }) => personId ?? []),
  });
  for (const [index, draft] of drafts.entries()) {
    const to = draft.email ?? (draft.personId === null ? undefined : emails.get(draft.personId));
    if (draft.mail && to && isChosen(choices, draft, "mail"))
      await ctx.mailer.send({
        key: `${outboxId}:${index}`,
        to,
        subject: draft.mail.subject,
        ...(await withReason(ctx, draft, withLink(ctx, draft, draft.mail.body))),
      });
  }
}

/**
 * Ends an email that names no page of ours with the link that it is about. A recipient without an
 * account could not open that page.
 */
function withLink(
  { settings: { appOrigin } }: Context,
  { personId, path }: NotificationDraft,
  body: string,
): string {
  return personId === null || body.includes(`${appOrigin}/`)
    ? body
    : `${body}\n\n${appOrigin}${path}`;
}

/** Says at the end of an email why it came, and how to stop it, or that nobody can. */
async function withReason(
  ctx: Context,
  { personId, about }: KindedNotification,
  body: string,
): Promise<{ body: string; unsubscribeUrl?: string }> {
  if (personId === null) return { body };
  const reason = `Você recebe este e-mail porque ${NOTIFICATION_KINDS[about].reason}.`;
  if (!isOptional(about, "mail"))
    return { body: `${body}\n\n${reason} Ele não pode ser desligado.` };
  const unsubscribeUrl = await unsubscribeAddress(ctx, { personId, kind: about });
  return { body: `${body}\n\n${reason} Não receber mais: ${unsubscribeUrl}`, unsubscribeUrl };
}
