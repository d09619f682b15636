import { commit } from "#app/db/client.server.ts";
import { StaleWrite, UniqueViolation } from "#app/db/errors.ts";
import { keptTaxIdStatement } from "#app/domain/billing/commands/details.server.ts";
import { personOnFirstSight } from "#app/domain/identity/commands.server.ts";
import {
  UsernameTaken,
  VerificationNotSent,
  VerificationUsed,
} from "#app/domain/identity/errors.ts";
import {
  OutsideAccountTaken,
  RegistrationExpired,
} from "#app/domain/identity/errors/registration.ts";
import { usernameInUse } from "#app/domain/identity/queries.server.ts";
import { emailInUse } from "#app/domain/identity/queries/registration.server.ts";
import { challengeState } from "#app/domain/identity/rules/challenges.ts";
import { registrationLetter } from "#app/domain/identity/rules/mails.ts";
import { asTaxId } from "#app/domain/identity/rules/tax-ids.ts";
import { refuseUnlessOldEnough } from "#app/domain/identity/rules/registration.ts";
import { withEnding } from "#app/domain/identity/rules/usernames.ts";
import type { Guest } from "#app/domain/billing/schema/guest.ts";
import type { RegistrationEnd } from "#app/domain/identity/schema/embedded.ts";
import type { LinkOutcome } from "#app/domain/identity/schema/account.ts";
import type { RegistrationDetails, SignUp } from "#app/domain/identity/schema/registration.ts";
import { registerProfileStatements } from "#app/domain/profiles/commands.server.ts";
import type { Challenge } from "#app/integrations/local-identity/challenges.server.ts";
import type {
  CompleteRegistration,
  PendingRegistration,
} from "#app/integrations/local-identity/pending-registrations.server.ts";
import { refuseCommonPassword } from "#app/integrations/local-identity/account.server.ts";
import {
  codeAllowances,
  countTry,
  sendAllowances,
  signUpAllowances,
} from "#app/integrations/local-identity/attempts.server.ts";
import {
  challengeOf,
  challengeOfLink,
  openChallenge,
  spend,
  tryCode,
} from "#app/integrations/local-identity/challenges.server.ts";
import { userByIdentifier } from "#app/integrations/local-identity/identifiers.server.ts";
import {
  accountWrites,
  amendRegistration,
  emailProvenWrite,
  isComplete,
  pendingRegistration,
  registrationId,
  registrationToken,
  startRegistration,
} from "#app/integrations/local-identity/pending-registrations.server.ts";
import { enterNewcomer } from "#app/integrations/local-identity/provider.server.ts";
import { passwordHashOf } from "#app/integrations/local-identity/registration.server.ts";
import { accountsOf } from "./asked.server.ts";
import { afterAnswer } from "./after-answer.ts";
import { outcomeOf } from "./link-outcome.ts";
import type { LocalAsked, LocalAskedLater } from "./asked.server.ts";
import { linkTo, mail } from "#app/domain/identity/commands/letters.server.ts";

const PURPOSE = "registration";

/**
 * "Criar conta": keeps what was typed, sends a code, and gives the cookie of the browser that may
 * go on. Whether the e-mail has an account is not even looked up, so that nothing can tell. Refuses
 * a taken username, an age under 16, a password that is tried first, and too many.
 */
export async function signUp(
  asked: LocalAskedLater,
  input: SignUp,
  { to }: { to: string },
): Promise<Headers> {
  const accounts = accountsOf(asked);
  const { ctx, request } = asked;
  const { password, ...known } = input;
  refuseUnlessOldEnough(input.birthDate, ctx.now());
  refuseCommonPassword(password);
  if (await usernameInUse(ctx, input)) throw new UsernameTaken();
  await countTry(
    accounts.db,
    [...sendAllowances(input.email, request), ...signUpAllowances(request)],
    ctx.realNow(),
  );
  const by = { kind: "password", passwordHash: await passwordHashOf(password) } as const;
  const { pending, token, headers } = await startRegistration(accounts, {
    ...known,
    isEmailProven: false,
    by,
    to,
  });
  await sendCode(asked, { id: pending.id, email: input.email, token });
  return headers;
}

/**
 * Buying without an account: the same beginning, for an account that its e-mail opens. `fields` are
 * what is paid at `to` once the code comes back; until then nobody exists, nothing is asked of the
 * provider, and the answer is the same for every e-mail. Refuses an age under 16, and too many.
 */
export async function signUpToPay(
  asked: LocalAskedLater,
  guest: Guest,
  { to, fields }: { to: string; fields: Record<string, string> },
): Promise<Headers> {
  const accounts = accountsOf(asked);
  const { ctx, request } = asked;
  const {
    taxId: { taxId },
    ...known
  } = guest;
  refuseUnlessOldEnough(guest.birthDate, ctx.now());
  await countTry(
    accounts.db,
    [...sendAllowances(guest.email, request), ...signUpAllowances(request)],
    ctx.realNow(),
  );
  // Who only buys asked for no public address: theirs tells nothing of who they are until they
  // choose one.
  const username = withEnding("pessoa", ctx.newId());
  const { pending, token, headers } = await startRegistration(accounts, {
    ...known,
    username,
    isEmailProven: false,
    by: { kind: "code" },
    to,
    cart: { fields, taxId },
  });
  await sendCode(asked, { id: pending.id, email: guest.email, token });
  return headers;
}

/** The registration that waits in this browser, as its pages show it; null when there is none. */
export async function waitingRegistration(asked: LocalAsked): Promise<PendingRegistration | null> {
  const accounts = accountsOf(asked);
  return pendingRegistration(accounts, asked.request);
}

/**
 * The e-mail of the registration that waits in this browser, when it is proven to be its owner's
 * and has an account; null in every other case.
 */
export async function provenAndTaken(
  asked: LocalAsked,
  pending: Pick<PendingRegistration, "email" | "isEmailProven"> | null,
): Promise<string | null> {
  if (!pending?.email || !pending.isEmailProven) return null;
  return (await hasAccount(asked, pending.email)) ? pending.email : null;
}

async function hasAccount(asked: LocalAsked, email: string): Promise<boolean> {
  const accounts = accountsOf(asked);
  return (
    (await emailInUse(asked.ctx, { email })) ||
    (await userByIdentifier(accounts.db, email)) !== null
  );
}

/**
 * Another code for the registration of this browser. Refuses too many, too soon, and where nothing
 * waits for one.
 */
export async function resendCode(asked: LocalAskedLater): Promise<{ email: string }> {
  const accounts = accountsOf(asked);
  const pending = await pendingRegistration(accounts, asked.request);
  const token = registrationToken(asked.request);
  if (token === null || !pending?.email || pending.isEmailProven) throw new RegistrationExpired();
  await countTry(accounts.db, sendAllowances(pending.email, asked.request), asked.ctx.realNow());
  await sendCode(asked, { id: pending.id, email: pending.email, token });
  return { email: pending.email };
}

/**
 * The code typed at `/auth/register/code`. Refuses a wrong, used or expired one, and where nothing
 * waits for it.
 */
export async function proveByCode(
  asked: LocalAsked,
  { code }: { code: string },
): Promise<RegistrationEnd> {
  const accounts = accountsOf(asked);
  const pending = await pendingRegistration(accounts, asked.request);
  const subject = await registrationId(accounts, asked.request);
  const sent = subject === null ? null : await challengeOf(accounts, { purpose: PURPOSE, subject });
  if (!pending?.email) throw sent?.usedAt ? new VerificationUsed() : new RegistrationExpired();
  await countTry(accounts.db, codeAllowances(pending.email, asked.request), asked.ctx.realNow());
  return proven(asked, pending, await tryCode(accounts, sent, code));
}

/** What the link of the mail leads to in this browser; with `accept` it is used. */
export async function proveByLink(
  asked: LocalAsked,
  { token, accept }: { token: string; accept: boolean },
): Promise<{ outcome: LinkOutcome; end: RegistrationEnd | null }> {
  const accounts = accountsOf(asked);
  let end: RegistrationEnd | null = null;
  const outcome = await outcomeOf(async () => {
    const challenge = await challengeOfLink(accounts, {
      purpose: PURPOSE,
      token,
      client: registrationToken(asked.request),
    });
    if (!accept) return "ready";
    const pending = await pendingRegistration(accounts, asked.request);
    if (!pending) return "expired";
    end = await proven(asked, pending, challenge);
    return "verified";
  });
  return { outcome, end };
}

/**
 * "Complete o seu perfil" of a registration that waits in this browser: what was missing, another
 * username, another e-mail. Ends it where the e-mail is proven; else a code goes out (`code`).
 * Refuses a taken username, an age under 16, and where nothing waits.
 */
export async function completeRegistration(
  asked: LocalAskedLater,
  { email, ...details }: RegistrationDetails & { email?: string },
): Promise<RegistrationEnd | { kind: "code" }> {
  const accounts = accountsOf(asked);
  const { ctx, request } = asked;
  refuseUnlessOldEnough(details.birthDate, ctx.now());
  const pending = await pendingRegistration(accounts, request);
  const token = registrationToken(request);
  if (!pending || token === null) throw new RegistrationExpired();
  if (await usernameInUse(ctx, details)) throw new UsernameTaken();
  const another =
    email === undefined || email === pending.email ? {} : { email, isEmailProven: false };
  const amended = await amendRegistration(accounts, pending, { ...details, ...another });
  if (!isComplete(amended)) throw new RegistrationExpired();
  if (amended.isEmailProven) return finish(asked, amended, null);
  const sent = await challengeOf(accounts, { purpose: PURPOSE, subject: amended.id });
  if (sent?.address === amended.email && challengeState(sent, accounts.now) === "live")
    return { kind: "code" };
  await countTry(accounts.db, sendAllowances(amended.email, request), ctx.realNow());
  await sendCode(asked, { id: amended.id, email: amended.email, token });
  return { kind: "code" };
}

/** The mail goes out behind the answer. */
async function sendCode(
  asked: LocalAskedLater,
  { id, email, token }: { id: string; email: string; token: string },
): Promise<void> {
  const accounts = accountsOf(asked);
  const { ctx } = asked;
  const opened = await openChallenge(accounts, {
    purpose: PURPOSE,
    subject: id,
    userId: null,
    address: email,
    client: token,
  });
  const letter = registrationLetter({
    code: opened.code,
    link: linkTo(ctx, `/auth/register/link/${opened.token}`),
  });
  afterAnswer(asked, async () => mail(ctx, { key: opened.id, to: email }, letter));
}

/** The e-mail that was proven must be the one that waits: it may have been corrected meanwhile. */
async function proven(
  asked: LocalAsked,
  pending: PendingRegistration,
  challenge: Challenge,
): Promise<RegistrationEnd> {
  if (challenge.address !== pending.email) throw new VerificationNotSent();
  if (!isComplete(pending)) throw new RegistrationExpired();
  const end = await finish(asked, pending, challenge);
  // Whoever bought without an account chose no username: any will do, and the proof holds.
  if (end.kind !== "username-taken" || pending.cart === null) return end;
  return finish(
    asked,
    { ...pending, username: withEnding(pending.username, asked.ctx.newId()) },
    null,
  );
}

/**
 * ONE batch: the code is spent, the registration goes, and account, person, profile and accepted
 * terms come; then the browser is signed in.
 */
async function finish(
  asked: LocalAsked,
  pending: CompleteRegistration,
  challenge: Challenge | null,
): Promise<RegistrationEnd> {
  const accounts = accountsOf(asked);
  const { ctx } = asked;
  const vault = { ...accounts, db: ctx.db };
  const { name, username, email, birthDate, termsVersion, taxId, returnTo: to } = pending;
  const [userId, personId] = [ctx.newId(), ctx.newId()];
  try {
    await commit(ctx.db, [
      ...(challenge ? [spend(vault, challenge)] : []),
      ...accountWrites(vault, pending, { userId }),
      ...personOnFirstSight(ctx, {
        personId,
        provider: "local",
        user: { providerUserId: userId, email, name, username },
        registered: { birthDate, termsVersion },
      }),
      ...registerProfileStatements(ctx, { personId, username, name }),
      ...(taxId ? [keptTaxIdStatement(ctx, { personId, name, ...asTaxId(taxId) })] : []),
    ]);
  } catch (error) {
    if (error instanceof UniqueViolation)
      return somebodyWasFirst(asked, pending, { challenge, columns: error.columns });
    throw inWords(error, challenge);
  }
  ctx.log("identity.signed_up", { personId, provider: "local" });
  return {
    kind: "member",
    personId,
    name,
    to,
    headers: await enterNewcomer(accounts, asked.request, userId),
    cart: pending.cart === null ? null : (JSON.parse(pending.cart) as Record<string, string>),
  };
}

type Refused = { challenge: Challenge | null; columns: string };

/**
 * Nothing of the batch was kept. The e-mail is proven all the same, so that its owner may be told
 * that it has an account.
 */
async function somebodyWasFirst(
  asked: LocalAsked,
  pending: CompleteRegistration,
  { challenge, columns }: Refused,
): Promise<RegistrationEnd> {
  const accounts = accountsOf(asked);
  const { ctx } = asked;
  const vault = { ...accounts, db: ctx.db };
  const spent = challenge ? [spend(vault, challenge)] : [];
  const isTaken = await hasAccount(asked, pending.email);
  if (!isTaken && columns.includes("auth_accounts")) throw new OutsideAccountTaken();
  try {
    await commit(ctx.db, [...spent, emailProvenWrite(vault, pending)]);
  } catch (error) {
    throw inWords(error, challenge);
  }
  return { kind: isTaken ? "email-taken" : "username-taken" };
}

/**
 * What a stale batch means: the code was used, or the registration finished or changed, at the same
 * moment.
 */
function inWords(error: unknown, challenge: Challenge | null): unknown {
  if (!(error instanceof StaleWrite)) return error;
  return challenge ? new VerificationUsed() : new RegistrationExpired();
}
