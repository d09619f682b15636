import type { Database } from "#app/db/client.server.ts";
import type { Mailer } from "#app/domain/notifications/schema/senders.ts";
import { emailHtml } from "./html-body.ts";
import { emailText } from "./text-body.ts";
import { localMails } from "#drizzle/schema/mail.ts";

/** The local mailer: stores each email once, by its key, for the sandbox console. */
export function localMailer(db: Database, realNow: () => number): Mailer {
  return {
    async send(mail) {
      await db
        .insert(localMails)
        .values({
          id: mail.key,
          sourceKey: mail.key,
          recipient: mail.to,
          subject: mail.subject,
          body: emailText(mail),
          html: emailHtml(mail),
          unsubscribeUrl: mail.unsubscribeUrl ?? null,
          createdAt: realNow(),
        })
        .onConflictDoNothing();
    },
  };
}
