import { eq, lt } from "drizzle-orm";
import { commit, mustChangeOne } from "#app/db/client.server.ts";
import type { Database } from "#app/db/client.server.ts";
import { StaleWrite } from "#app/db/errors.ts";
import type { Log } from "#app/domain/context.ts";
import type { Mailer, MailOutcome } from "#app/domain/notifications/schema/senders.ts";
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
const SUPPRESSED = "E_RECIPIENT_SUPPRESSED";
const OF_ONE_LETTER: ReadonlySet<string> = new Set([
  SUPPRESSED,
  "E_VALIDATION_ERROR",
  "E_CONTENT_TOO_LARGE",
]);

/**
 * Sends email by the platform's binding (`send_email`). The platform has no idempotency key, so
 * accepted emails are recorded by their key, and a repeated one is not sent again. If the process
 * dies between the platform's answer and the record, the email is sent twice. One that is
 * `isAtMostOnce` is recorded first: if nobody knows whether it left, it is "unconfirmed" from then
 * on and not sent again. A refused email is logged by its key; a refused recipient is "suppressed".
 * Any other failure is thrown, so that the message is retried.
 */
export function platformMailer({ email, db, from, replyTo, realNow, log }: Options): Mailer {
  return {
    async send(mail) {
      const { key, to, subject, unsubscribeUrl, isAtMostOnce = false } = mail;
      const [recorded] = await db.select().from(sentMails).where(eq(sentMails.key, key));
      if (recorded) return recorded.isUnconfirmed ? "unconfirmed" : undefined;
      if (isAtMostOnce && !(await recordFirst(db, { key, sentAt: realNow() }))) return;
      let outcome: MailOutcome = undefined;
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
          // The platform answered that it did not take it. Without an answer it may have left.
          if (isAtMostOnce && code !== UNKNOWN) await forget(db, key);
          throw new MailNotSent(code);
        }
        log("mail.refused", { key, code });
        if (code === SUPPRESSED) outcome = "suppressed";
      }
      await commit(db, [
        db
          .insert(sentMails)
          .values({ key, sentAt: realNow() })
          .onConflictDoUpdate({ target: sentMails.key, set: { isUnconfirmed: false } }),
        db.delete(sentMails).where(lt(sentMails.sentAt, realNow() - REMEMBERED_MS)),
      ]);
      return outcome;
    },
  };
}

/** Records an email before it is handed over. False where another run was faster. */
async function recordFirst(db: Database, mail: { key: string; sentAt: number }): Promise<boolean> {
  const record = db
    .insert(sentMails)
    .values({ ...mail, isUnconfirmed: true })
    .onConflictDoNothing();
  try {
    await commit(db, [mustChangeOne(record)]);
    return true;
  } catch (error) {
    if (!(error instanceof StaleWrite)) throw error;
    return false;
  }
}

const forget = async (db: Database, key: string): Promise<void> =>
  void (await commit(db, [db.delete(sentMails).where(eq(sentMails.key, key))]));

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

const UNKNOWN = "unknown";

function codeOf(error: unknown): string {
  const code = typeof error === "object" && error !== null && "code" in error ? error.code : null;
  return typeof code === "string" ? code : UNKNOWN;
}
