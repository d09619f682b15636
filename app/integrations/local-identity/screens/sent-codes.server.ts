import { codeTextMessage } from "#app/domain/identity/contacts/rules/contact-emails.ts";
import type { EmailContent } from "#app/domain/identity/emails/rules/emails.ts";
import {
  browserSecret,
  ensureBrowserSecret,
} from "#app/integrations/local-identity/sessions/client-cookie.ts";
import type { Challenge } from "#app/integrations/local-identity/second-factor/challenges.server.ts";
import {
  countAttempt,
  countSendTo,
  sendLimits,
} from "#app/integrations/local-identity/rate-limits.server.ts";
import {
  latestChallengeOfBrowser,
  issueChallenge,
} from "#app/integrations/local-identity/second-factor/challenges.server.ts";
import {
  canonicalIdentifier,
  userByIdentifier,
} from "#app/integrations/local-identity/registration/identifiers.server.ts";
import { deviceOf } from "#app/integrations/local-identity/sessions/known-device.server.ts";
import { accountsOf } from "./asked.server.ts";
import { afterAnswer } from "./after-answer.ts";
import type { LocalAsked, LocalAskedLater } from "./asked.server.ts";
import { mail } from "#app/domain/identity/commands/letters.server.ts";
import { keyedHash } from "#app/lib/secrets.ts";

/** The purposes of a code that goes to an account's own address. */
type Purpose = "password-reset" | "sign-in" | "reauthentication";

type Sending = {
  purpose: Purpose;
  identifier: string;
  /** True if a code may only go to a verified contact. */
  toVerifiedOnly: boolean;
  letter(sent: { code: string; token: string }): EmailContent;
  /** The purpose of the code, in a text message. */
  act: string;
};

/**
 * Sends a code to the owner of `identifier`. It makes the same reads, the same write and the same
 * response whether or not there is one; the message is sent after the response. Returns the cookie
 * of the browser that can continue. Refuses too many and too frequent requests, in both cases
 * alike. Past the limits of the destination nothing is sent, and the response is the same.
 */
export async function sendCodeTo(
  asked: LocalAskedLater,
  { purpose, identifier, toVerifiedOnly, letter, act }: Sending,
): Promise<{ cookie: string }> {
  const accounts = accountsOf(asked);
  const { request, ctx } = asked;
  const address = canonicalIdentifier(identifier);
  const holder = await userByIdentifier(accounts.db, identifier);
  await countAttempt(
    accounts.db,
    sendLimits(
      await codeRateLimitSubject(asked, { purpose, address, userId: holder?.id ?? null }),
      request,
    ),
    ctx.realNow(),
  );
  const isWithinLimits = await countSendTo(
    accounts.db,
    {
      destination: holder?.reach.address ?? address,
      device: await deviceOf(accounts.secret, request, holder?.id ?? address),
    },
    ctx.realNow(),
  );
  const isReached = holder !== null && (holder.reach.isVerified || !toVerifiedOnly);
  const { client, cookie } = ensureBrowserSecret(request);
  const subject = await subjectOf(accounts.secret, purpose, address, client);
  const opened = await issueChallenge(accounts, {
    purpose,
    subject,
    userId: isReached ? holder.id : null,
    address,
    client,
  });
  if (isReached && isWithinLimits) {
    const { kind, address: to } = holder.reach;
    const send = async () =>
      kind === "phone"
        ? ctx.sms.send({ key: opened.id, to, body: codeTextMessage({ code: opened.code, act }) })
        : mail(ctx, { key: opened.id, to }, letter(opened));
    afterAnswer(asked, send);
  }
  return { cookie };
}

/** The last code that this browser requested; null without one. */
export async function lastCodeRequest(
  asked: LocalAsked,
  { purpose }: { purpose: Purpose },
): Promise<Challenge | null> {
  const client = browserSecret(asked.request);
  if (client === null) return null;
  const accounts = accountsOf(asked);
  return latestChallengeOfBrowser(accounts, { purpose, client });
}

/**
 * The subject under which code requests and attempts are counted: shared by all, except for a
 * browser in which the owner signed in before.
 */
export async function codeRateLimitSubject(
  asked: LocalAsked,
  { purpose, address, userId }: { purpose: string; address: string; userId: string | null },
): Promise<string> {
  const accounts = accountsOf(asked);
  return subjectOf(
    accounts.secret,
    purpose,
    address,
    (await deviceOf(accounts.secret, asked.request, userId ?? address)) ?? "elsewhere",
  );
}

/**
 * The pseudonymous subject in the table: a keyed hash of the typed identifier and of the browser.
 * So a stranger's repeated requests never replace somebody's code.
 */
function subjectOf(
  secret: string,
  purpose: string,
  address: string,
  browser: string,
): Promise<string> {
  return keyedHash(secret, purpose, address, browser);
}
