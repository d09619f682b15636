import { z } from "zod";

const mailsSchema = z.object({
  data: z.array(z.object({ recipient: z.string(), subject: z.string(), body: z.string() })),
});

export type LocalMail = { subject: string; body: string; code: string; path: string };

const SHOWN = 200;
const ASKED_AT_MOST = 200;
const PAUSE_MS = 25;

/**
 * Waits for an email to `recipient` whose subject contains `words`, because some are sent after the
 * response. Returns the newest with its code and the path of its link. `read` is the number of such
 * emails before it.
 */
export async function mailTo(
  origin: string,
  recipient: string,
  subjectPart: string,
  read = 0,
): Promise<LocalMail> {
  for (let asked = 0; asked < ASKED_AT_MOST; asked += 1) {
    const inbox = mailsSchema.parse(
      await (
        await fetch(`${origin}/sandbox/mails?shown=${SHOWN}`, {
          headers: { Accept: "application/json" },
        })
      ).json(),
    );
    const mails = inbox.data.filter(
      (one) => one.recipient === recipient && one.subject.includes(subjectPart),
    );
    const [mail] = mails;
    if (mail && mails.length > read)
      return {
        ...mail,
        code: /\b\d{6}\b/.exec(mail.body)?.[0] ?? "",
        path: /\/auth\/(?:verify|reset|register\/link)\/[0-9a-f]{64}/.exec(mail.body)?.[0] ?? "",
      };
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
  throw new Error(`no mail to ${recipient} about ${subjectPart}`);
}

const textsSchema = z.object({
  data: z.array(z.object({ recipient: z.string(), body: z.string() })),
});

/** Waits for a text message to `phone` that contains `words`. Returns the code in the newest. */
export async function textTo(origin: string, phone: string, textPart = ""): Promise<string> {
  for (let asked = 0; asked < ASKED_AT_MOST; asked += 1) {
    const texts = textsSchema.parse(
      await (
        await fetch(`${origin}/sandbox/texts?shown=${SHOWN}`, {
          headers: { Accept: "application/json" },
        })
      ).json(),
    );
    const code = /\b\d{6}\b/.exec(
      texts.data.find((one) => one.recipient === phone && one.body.includes(textPart))?.body ?? "",
    )?.[0];
    if (code) return code;
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
  throw new Error(`no text message about ${textPart}`);
}
