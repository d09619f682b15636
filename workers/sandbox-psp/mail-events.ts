import { eq } from "drizzle-orm";
import { openDatabase } from "#app/db/client.server.ts";
import type { MailEvent } from "#app/domain/notifications/rules/addresses.ts";
import { signedMailEvent } from "#app/integrations/mail/webhook.server.ts";
import { localMails } from "#drizzle/schema/mail.ts";
import { randomId } from "./psp.ts";
import type { Psp } from "./psp.ts";
import { notFound, PspRefusal } from "./refusal.ts";

/**
 * Reports an email of the local inbox as bounced for good or as marked as spam, by a webhook that
 * is signed as the email service's are.
 */
export async function reportMail(
  psp: Psp,
  mailId: string,
  type: MailEvent["type"],
): Promise<{ ok: true }> {
  const { PRODUCT_DB, FRONT, MAIL_WEBHOOK_SECRET, APP_ORIGIN } = psp.env;
  if (!PRODUCT_DB || !FRONT || !MAIL_WEBHOOK_SECRET) throw notFound("mail");
  const [mail] = await openDatabase(PRODUCT_DB)
    .select({ recipient: localMails.recipient })
    .from(localMails)
    .where(eq(localMails.id, mailId));
  if (!mail) throw notFound("mail");
  const signed = signedMailEvent(MAIL_WEBHOOK_SECRET.split(" ")[0] ?? "", {
    id: randomId("mev"),
    type,
    address: mail.recipient,
    isPermanent: true,
    occurredAt: psp.realNow(),
  });
  const response = await FRONT.fetch(
    new Request(new URL("/webhooks/mail", APP_ORIGIN), { method: "POST", ...signed }),
  );
  if (!response.ok)
    throw new PspRefusal(502, "webhook_failed", `The product answered ${response.status}.`);
  return { ok: true };
}
