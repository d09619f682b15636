import { commit } from "#app/db/client.server.ts";
import { StaleWrite, UniqueViolation } from "#app/db/errors.ts";
import { saveTaxIdStatement } from "#app/domain/billing/details/commands.server.ts";
import { newPersonStatements } from "#app/domain/identity/commands.server.ts";
import {
  UsernameTaken,
  VerificationNotSent,
  VerificationUsed,
} from "#app/domain/identity/errors.ts";
import {
  ExternalAccountTaken,
  RegistrationExpired,
} from "#app/domain/identity/registration/errors.ts";
import { usernameInUse } from "#app/domain/identity/queries.server.ts";
import { emailInUse } from "#app/domain/identity/registration/queries.server.ts";
import { challengeState } from "#app/domain/identity/sign-in/rules/challenges.ts";
import { registrationEmail } from "#app/domain/identity/emails/rules/emails.ts";
import { toTaxId } from "#app/domain/identity/tax-ids/rules.ts";
import { enforceMinimumAge } from "#app/domain/identity/registration/rules/registration.ts";
import { withUniqueSuffix } from "#app/domain/identity/registration/rules/usernames.ts";
import type { Guest } from "#app/domain/billing/guests/schema.ts";
import type { RegistrationEnd } from "#app/domain/identity/schema/embedded.ts";
import type { LinkOutcome } from "#app/domain/identity/account/schema.ts";
import type {
  RegistrationDetails,
  SignUp,
} from "#app/domain/identity/registration/schema/registration.ts";
import { registerProfileStatements } from "#app/domain/profiles/commands.server.ts";
import type { Challenge } from "#app/integrations/local-identity/challenges.server.ts";
import type {
  CompleteRegistration,
  PendingRegistration,
} from "#app/integrations/local-identity/pending-registrations.server.ts";
import { refuseCommonPassword } from "#app/integrations/local-identity/account.server.ts";
import {
  codeLimits,
  countAttempt,
  sendLimits,
  signUpLimits,
} from "#app/integrations/local-identity/rate-limits.server.ts";
import {
  latestChallenge,
  challengeByLink,
  issueChallenge,
  consumeChallenge,
  checkCode,
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
  createPendingRegistration,
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
  enforceMinimumAge(input.birthDate, ctx.now());
  refuseCommonPassword(password);
  if (await usernameInUse(ctx, input)) throw new UsernameTaken();
  await countAttempt(
    accounts.db,
    [...sendLimits(input.email, request), ...signUpLimits(request)],
    ctx.realNow(),
  );
  const by = { kind: "password", passwordHash: await passwordHashOf(password) } as const;
  const { pending, token, headers } = await createPendingRegistration(accounts, {
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
export async function registerGuest(
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
  enforceMinimumAge(guest.birthDate, ctx.now());
  await countAttempt(
    accounts.db,
    [...sendLimits(guest.email, request), ...signUpLimits(request)],
    ctx.realNow(),
  );
  // Who only buys asked for no public address: theirs tells nothing of who they are until they
  // choose one.
  const username = withUniqueSuffix("pessoa", ctx.newId());
  const { pending, token, headers } = await createPendingRegistration(accounts, {
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
export async function currentRegistration(asked: LocalAsked): Promise<PendingRegistration | null> {
  const accounts = accountsOf(asked);
  return pendingRegistration(accounts, asked.request);
}

/**
 * The e-mail of the registration that waits in this browser, when it is proven to be its owner's
 * and has an account; null in every other case.
 */
export async function pendingEmailConflict(
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
  await countAttempt(accounts.db, sendLimits(pending.email, asked.request), asked.ctx.realNow());
  await sendCode(asked, { id: pending.id, email: pending.email, token });
  return { email: pending.email };
}

/**
 * The code typed at `/auth/register/code`. Refuses a wrong, used or expired one, and where nothing
 * waits for it.
 */
export async function verifyRegistrationByCode(
  asked: LocalAsked,
  { code }: { code: string },
): Promise<RegistrationEnd> {
  const accounts = accountsOf(asked);
  const pending = await pendingRegistration(accounts, asked.request);
  const subject = await registrationId(accounts, asked.request);
  const sent =
    subject === null ? null : await latestChallenge(accounts, { purpose: PURPOSE, subject });
  if (!pending?.email) throw sent?.usedAt ? new VerificationUsed() : new RegistrationExpired();
  await countAttempt(accounts.db, codeLimits(pending.email, asked.request), asked.ctx.realNow());
  return proven(asked, pending, await checkCode(accounts, sent, code));
}

/** What the link of the mail leads to in this browser; with `accept` it is used. */
export async function verifyRegistrationByLink(
  asked: LocalAsked,
  { token, accept }: { token: string; accept: boolean },
): Promise<{ outcome: LinkOutcome; end: RegistrationEnd | null }> {
  const accounts = accountsOf(asked);
  let end: RegistrationEnd | null = null;
  const outcome = await outcomeOf(async () => {
    const challenge = await challengeByLink(accounts, {
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
  enforceMinimumAge(details.birthDate, ctx.now());
  const pending = await pendingRegistration(accounts, request);
  const token = registrationToken(request);
  if (!pending || token === null) throw new RegistrationExpired();
  if (await usernameInUse(ctx, details)) throw new UsernameTaken();
  const another =
    email === undefined || email === pending.email ? {} : { email, isEmailProven: false };
  const amended = await amendRegistration(accounts, pending, { ...details, ...another });
  if (!isComplete(amended)) throw new RegistrationExpired();
  if (amended.isEmailProven) return finish(asked, amended, null);
  const sent = await latestChallenge(accounts, { purpose: PURPOSE, subject: amended.id });
  if (sent?.address === amended.email && challengeState(sent, accounts.now) === "live")
    return { kind: "code" };
  await countAttempt(accounts.db, sendLimits(amended.email, request), ctx.realNow());
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
  const opened = await issueChallenge(accounts, {
    purpose: PURPOSE,
    subject: id,
    userId: null,
    address: email,
    client: token,
  });
  const letter = registrationEmail({
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
    { ...pending, username: withUniqueSuffix(pending.username, asked.ctx.newId()) },
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
      ...(challenge ? [consumeChallenge(vault, challenge)] : []),
      ...accountWrites(vault, pending, { userId }),
      ...newPersonStatements(ctx, {
        personId,
        provider: "local",
        user: { providerUserId: userId, email, name, username },
        registered: { birthDate, termsVersion },
      }),
      ...registerProfileStatements(ctx, { personId, username, name }),
      ...(taxId ? [saveTaxIdStatement(ctx, { personId, name, ...toTaxId(taxId) })] : []),
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

type RegistrationConflict = { challenge: Challenge | null; columns: string };

/**
 * Nothing of the batch was kept. The e-mail is proven all the same, so that its owner may be told
 * that it has an account.
 */
async function somebodyWasFirst(
  asked: LocalAsked,
  pending: CompleteRegistration,
  { challenge, columns }: RegistrationConflict,
): Promise<RegistrationEnd> {
  const accounts = accountsOf(asked);
  const { ctx } = asked;
  const vault = { ...accounts, db: ctx.db };
  const spent = challenge ? [consumeChallenge(vault, challenge)] : [];
  const isTaken = await hasAccount(asked, pending.email);
  if (!isTaken && columns.includes("auth_accounts")) throw new ExternalAccountTaken();
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
