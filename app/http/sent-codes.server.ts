import { codeText } from "#app/domain/identity/rules/contact-letters.ts";
import type { Letter } from "#app/domain/identity/rules/mails.ts";
import { afterAnswer, embedded, mail } from "#app/http/account.server.ts";
import type { AskedLater } from "#app/http/account.server.ts";
import { clientOf, keepClient } from "#app/http/client-cookie.ts";
import type { Asked } from "#app/http/session.server.ts";
import type { Challenge } from "#app/integrations/local-identity/challenges.server.ts";

/** What somebody who is not signed in may ask a code for. */
type Purpose = "password-reset" | "sign-in";

type Sending = {
  purpose: Purpose;
  identifier: string;
  /** True when a code may only go where somebody proved to be. */
  toVerifiedOnly: boolean;
  letter(sent: { code: string; token: string }): Letter;
  /** What the code is for, in a text message. */
  act: string;
};

/**
 * Sends a code to whoever answers to `identifier`: the same reads, the same write and the same
 * answer whether somebody does; the message goes out behind the answer. Gives the cookie of the
 * browser that may go on. Refuses too many and too soon, for both alike.
 */
export async function sendCodeTo(
  asked: AskedLater,
  { purpose, identifier, toVerifiedOnly, letter, act }: Sending,
): Promise<{ cookie: string }> {
  const {
    accounts,
    canonicalIdentifier,
    countTry,
    openChallenge,
    sendAllowances,
    userByIdentifier,
  } = await embedded(asked);
  const { request, ctx } = asked;
  const address = canonicalIdentifier(identifier);
  const holder = await userByIdentifier(accounts.db, identifier);
  await countTry(
    accounts.db,
    sendAllowances(
      await triedSubject(asked, { purpose, address, userId: holder?.id ?? null }),
      request,
    ),
    ctx.realNow(),
  );
  const isReached = holder !== null && (holder.reach.isVerified || !toVerifiedOnly);
  const { client, cookie } = keepClient(request);
  const subject = await subjectOf(accounts.secret, purpose, address, client);
  const opened = await openChallenge(accounts, {
    purpose,
    subject,
    userId: isReached ? holder.id : null,
    address,
    client,
  });
  if (isReached) {
    const { kind, address: to } = holder.reach;
    const send = async () =>
      kind === "phone"
        ? ctx.sms.send({ key: opened.id, to, body: codeText({ code: opened.code, act }) })
        : mail(ctx, { key: opened.id, to }, letter(opened));
    afterAnswer(asked, send);
  }
  return { cookie };
}

/** The last code that this browser asked for, or null. */
export async function askedForCode(
  asked: Asked,
  { purpose }: { purpose: Purpose },
): Promise<Challenge | null> {
  const client = clientOf(asked.request);
  if (client === null) return null;
  const { accounts, challengeOfClient } = await embedded(asked);
  return challengeOfClient(accounts, { purpose, client });
}

/**
 * Under whose name asking for codes and typing them is counted: everybody's together, but for a
 * browser in which the owner signed in before.
 */
export async function triedSubject(
  asked: Asked,
  { purpose, address, userId }: { purpose: string; address: string; userId: string | null },
): Promise<string> {
  const { accounts } = await embedded(asked);
  const { deviceOf } = await import("#app/integrations/local-identity/known-device.server.ts");
  return subjectOf(
    accounts.secret,
    purpose,
    address,
    (await deviceOf(accounts.secret, asked.request, userId ?? address)) ?? "elsewhere",
  );
}

/**
 * Nobody's name in the table: the keyed hash of what was typed, and of the browser that typed it,
 * so that a stranger who asks again and again takes nobody's code away.
 */
async function subjectOf(
  secret: string,
  purpose: string,
  address: string,
  browser: string,
): Promise<string> {
  const { keyedHash } = await import("#app/lib/secrets.ts");
  return keyedHash(secret, purpose, address, browser);
}
