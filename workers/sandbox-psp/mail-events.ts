import { eq } from "drizzle-orm";
import { openDatabase } from "#app/db/client.server.ts";
import type { MailEvent } from "#app/domain/notifications/rules/addresses.ts";
import { mailServiceMessage } from "#app/integrations/mail/service-events.ts";
import { localMails } from "#drizzle/schema/mail.ts";
import { randomId } from "./psp.ts";
import type { Psp } from "./psp.ts";
import { notFound } from "./refusal.ts";

/**
 * Reports an email of the local inbox as bounced for good or as marked as spam, by the message that
 * the email service would put into the queue.
 */
export async function reportMail(
  psp: Psp,
  mailId: string,
  type: MailEvent["type"],
): Promise<{ ok: true }> {
  const { PRODUCT_DB, MAIL_EVENTS } = psp.env;
  if (!PRODUCT_DB || !MAIL_EVENTS) throw notFound("mail");
  const [mail] = await openDatabase(PRODUCT_DB)
    .select({ recipient: localMails.recipient })
    .from(localMails)
    .where(eq(localMails.id, mailId));
  if (!mail) throw notFound("mail");
  await MAIL_EVENTS.send(
    mailServiceMessage({
      id: randomId("mev"),
      type,
      address: mail.recipient,
      isPermanent: true,
      occurredAt: psp.realNow(),
    }),
  );
  return { ok: true };
}
