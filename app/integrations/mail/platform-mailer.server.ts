import { eq, lt } from "drizzle-orm";
import { commit } from "#app/db/client.server.ts";
import type { Database } from "#app/db/client.server.ts";
import type { Log } from "#app/domain/context.ts";
import type { Mailer } from "#app/domain/notifications/schema/senders.ts";
import { DAY_MS } from "#app/domain/time.ts";
import type { MailAddress } from "#app/mail-sender.ts";
import { sentMails } from "#drizzle/schema/mail.ts";
import { emailHtml } from "./html-body.ts";

type Options = {
  email: SendEmail;
  db: Database;
  from: MailAddress;
  replyTo: string;
  realNow: () => number;
  log: Log;
};

/** Longer than any message is tried again. */
const REMEMBERED_MS = 30 * DAY_MS;

/**
 * What the platform says of one letter or its reader, and would say again: their other letters go
 * on. Everything else is tried again. Source: Cloudflare Email Service, Workers API, "Errors".
 */
const OF_ONE_LETTER: ReadonlySet<string> = new Set([
  "E_RECIPIENT_SUPPRESSED",
  "E_VALIDATION_ERROR",
  "E_CONTENT_TOO_LARGE",
]);

/**
 * Mail by the platform's own binding (`send_email`). The platform knows no idempotency key, so that
 * what it took is noted by the mail's key: one that is handed over again is not sent again, unless
 * the process died between the platform's answer and the note. A reader that the platform gave up
 * on, or a letter it can never take, is logged by its key and counts as told; any other failure is
 * thrown, for the message to be told again.
 */
export function platformMailer({ email, db, from, replyTo, realNow, log }: Options): Mailer {
  return {
    async send({ key, to, subject, body }) {
      if (
        (await db.select({ key: sentMails.key }).from(sentMails).where(eq(sentMails.key, key)))
          .length > 0
      )
        return;
      try {
        await email.send({ from, to, replyTo, subject, text: body, html: emailHtml(body) });
      } catch (error) {
        const code = codeOf(error);
        if (!OF_ONE_LETTER.has(code)) throw new MailNotSent(code);
        log("mail.refused", { key, code });
      }
      const now = realNow();
      await commit(db, [
        db.insert(sentMails).values({ key, sentAt: now }).onConflictDoNothing(),
        db.delete(sentMails).where(lt(sentMails.sentAt, now - REMEMBERED_MS)),
      ]);
    },
  };
}

/** The code alone: what the platform writes beside it may hold the address. */
export class MailNotSent extends Error {
  constructor(code: string) {
    super(`mail not sent: ${code}`);
  }
}

function codeOf(error: unknown): string {
  const code = typeof error === "object" && error !== null && "code" in error ? error.code : null;
  return typeof code === "string" ? code : "unknown";
}
