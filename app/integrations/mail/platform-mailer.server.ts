import { eq, lt } from "drizzle-orm";
import { commit, mustChangeOne } from "#app/db/client.server.ts";
import type { Database, DbStatement } from "#app/db/client.server.ts";
import { StaleWrite } from "#app/db/errors.ts";
import type { Log } from "#app/domain/context.ts";
import type { Mailer } from "#app/domain/notifications/schema/senders.ts";
import { DAY_MS } from "#app/domain/time.ts";
import type { MailAddress } from "#app/configuration/mail-sender.ts";
import { sentMails } from "#drizzle/schema/mail.ts";
import { emailHtml } from "./html-body.ts";
import { emailText } from "./text-body.ts";

type Options = {
  email: SendEmail;
  db: Database;
  from: MailAddress;
  replyTo: string;
  realNow: () => number;
  log: Log;
};

/** Longer than any message is retried. */
const REMEMBERED_MS = 30 * DAY_MS;

/**
 * Errors about one email or its recipient, which a retry cannot fix; the person's other emails
 * continue. Everything else is retried. Source: Cloudflare Email Service, Workers API, "Errors".
 */
const OF_ONE_LETTER: ReadonlySet<string> = new Set([
  "E_RECIPIENT_SUPPRESSED",
  "E_VALIDATION_ERROR",
  "E_CONTENT_TOO_LARGE",
]);

/**
 * Sends email by the platform's binding (`send_email`). The platform has no idempotency key, so
 * accepted emails are recorded by their key, and a repeated one is not sent again. If the process
 * dies between the platform's answer and the record, the email is sent twice; one that is
 * `isAtMostOnce` is recorded first and then lost instead. A permanently refused recipient or email
 * is logged by its key and counts as sent. Any other failure is thrown, so that the message is
 * retried.
 */
export function platformMailer({ email, db, from, replyTo, realNow, log }: Options): Mailer {
  return {
    async send(mail) {
      const { key, to, subject, unsubscribeUrl, isAtMostOnce } = mail;
      const record = () =>
        db.insert(sentMails).values({ key, sentAt: realNow() }).onConflictDoNothing();
      const isNew = isAtMostOnce ? await isFirst(db, record()) : !(await isRecorded(db, key));
      if (!isNew) return;
      try {
        await email.send({
          from,
          to,
          replyTo,
          subject,
          text: emailText(mail),
          html: emailHtml(mail),
          ...(unsubscribeUrl ? { headers: unsubscribeHeaders(unsubscribeUrl) } : {}),
        });
      } catch (error) {
        const code = codeOf(error);
        if (!OF_ONE_LETTER.has(code)) {
          // It did not leave: a later attempt sends it.
          if (isAtMostOnce) await db.delete(sentMails).where(eq(sentMails.key, key));
          throw new MailNotSent(code);
        }
        log("mail.refused", { key, code });
      }
      if (isAtMostOnce) return;
      await commit(db, [
        record(),
        db.delete(sentMails).where(lt(sentMails.sentAt, realNow() - REMEMBERED_MS)),
      ]);
    },
  };
}

const isRecorded = async (db: Database, key: string): Promise<boolean> =>
  (await db.$count(sentMails, eq(sentMails.key, key))) > 0;

/** Records an email before it is sent. False where it was recorded already. */
async function isFirst(db: Database, record: DbStatement): Promise<boolean> {
  try {
    await commit(db, [mustChangeOne(record)]);
    return true;
  } catch (error) {
    if (!(error instanceof StaleWrite)) throw error;
    return false;
  }
}

/** Lets mail programs stop such emails with one click. Source: RFC 2369 and RFC 8058. */
const unsubscribeHeaders = (unsubscribeUrl: string): Record<string, string> => ({
  "List-Unsubscribe": `<${unsubscribeUrl}>`,
  "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
});

/** Contains only the code: the platform's message may contain the address. */
export class MailNotSent extends Error {
  constructor(code: string) {
    super(`mail not sent: ${code}`);
  }
}

function codeOf(error: unknown): string {
  const code = typeof error === "object" && error !== null && "code" in error ? error.code : null;
  return typeof code === "string" ? code : "unknown";
}
