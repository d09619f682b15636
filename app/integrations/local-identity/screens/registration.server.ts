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
import {
  givenUsername,
  withUniqueSuffix,
} from "#app/domain/identity/registration/rules/usernames.ts";
import type { Guest } from "#app/domain/billing/guests/schema.ts";
import type { RegistrationEnd } from "#app/domain/identity/embedded/schema.ts";
import type { LinkOutcome } from "#app/domain/identity/account/schema.ts";
import type {
  RegistrationDetails,
  SignUp,
} from "#app/domain/identity/registration/schema/registration.ts";
import { registerProfileStatements } from "#app/domain/profiles/commands.server.ts";
import type { Challenge } from "#app/integrations/local-identity/second-factor/challenges.server.ts";
import type {
  CompleteRegistration,
  PendingRegistration,
} from "#app/integrations/local-identity/registration/pending-registrations.server.ts";
import { refuseCommonPassword } from "#app/integrations/local-identity/account/account.server.ts";
import {
  codeLimits,
  countAttempt,
  countSendTo,
  sendLimits,
  signUpLimits,
} from "#app/integrations/local-identity/rate-limits.server.ts";
import {
  latestChallenge,
  challengeByLink,
  issueChallenge,
  consumeChallenge,
  checkCode,
} from "#app/integrations/local-identity/second-factor/challenges.server.ts";
import { userByIdentifier } from "#app/integrations/local-identity/registration/identifiers.server.ts";
import {
  accountWrites,
  amendRegistration,
  emailProvenWrite,
  isComplete,
  pendingRegistration,
  registrationId,
  registrationToken,
  createPendingRegistration,
} from "#app/integrations/local-identity/registration/pending-registrations.server.ts";
import { enterNewcomer } from "#app/integrations/local-identity/provider.server.ts";
import { passwordHashOf } from "#app/integrations/local-identity/registration/registration.server.ts";
import { accountsOf } from "./asked.server.ts";
import { afterAnswer } from "./after-answer.ts";
import { outcomeOf } from "./link-outcome.ts";
import type { LocalAsked, LocalAskedLater } from "./asked.server.ts";
import { linkTo, mail } from "#app/domain/identity/commands/letters.server.ts";

const PURPOSE = "registration";

/**
 * "Criar conta": saves the input, sends a code, and returns the cookie of the browser that can
 * continue. It never looks up whether the email has an account, so that nothing can reveal it.
 * Refuses a taken username, an age under 16, a common password, and too many requests.
 */
export async function signUp(
  asked: LocalAskedLater,
  input: SignUp,
  { to }: { to: string },
): Promise<Headers> {
  const accounts = accountsOf(asked);
  const { ctx, request } = asked;
  const { password, ...existing } = input;
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
    ...existing,
    isEmailProven: false,
    by,
    to,
  });
  await sendCode(asked, { id: pending.id, email: input.email, token, isPurchase: false });
  return headers;
}

/**
 * Starts a registration from a guest purchase, for an account that its email opens. `fields` are
 * paid at `to` once the code is entered. Before that there is no account and no provider request,
 * and the response is the same for every email. Refuses an age under 16, and too many requests.
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
    ...existing
  } = guest;
  enforceMinimumAge(guest.birthDate, ctx.now());
  await countAttempt(
    accounts.db,
    [...sendLimits(guest.email, request), ...signUpLimits(request)],
    ctx.realNow(),
  );
  const username = givenUsername(ctx.newId());
  const { pending, token, headers } = await createPendingRegistration(accounts, {
    ...existing,
    username,
    isEmailProven: false,
    by: { kind: "code" },
    to,
    cart: { fields, taxId },
  });
  await sendCode(asked, { id: pending.id, email: guest.email, token, isPurchase: true });
  return headers;
}

/** The pending registration of this browser for its pages; null without one. */
export async function currentRegistration(asked: LocalAsked): Promise<PendingRegistration | null> {
  const accounts = accountsOf(asked);
  return pendingRegistration(accounts, asked.request);
}

/**
 * The email of this browser's pending registration, if it is verified and already has an account;
 * null otherwise.
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
 * Sends another code for this browser's registration. Refuses too many, too frequent ones, and
 * without a pending registration.
 */
export async function resendCode(asked: LocalAskedLater): Promise<{ email: string }> {
  const accounts = accountsOf(asked);
  const pending = await pendingRegistration(accounts, asked.request);
  const token = registrationToken(asked.request);
  if (token === null || !pending?.email || pending.isEmailProven) throw new RegistrationExpired();
  await countAttempt(accounts.db, sendLimits(pending.email, asked.request), asked.ctx.realNow());
  await sendCode(asked, {
    id: pending.id,
    email: pending.email,
    token,
    isPurchase: pending.cart !== null,
  });
  return { email: pending.email };
}

/**
 * Verifies the code typed at `/auth/register/code`. Refuses a wrong, used or expired one, and
 * without a pending registration.
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

/** The outcome of the email's link in this browser; with `accept` it is used. */
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
 * "Complete o seu perfil" of this browser's pending registration: missing data, another username,
 * another email. Completes it if the email is verified; otherwise sends a code (`code`). Refuses a
 * taken username, an age under 16, and without a pending registration.
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
  await sendCode(asked, {
    id: amended.id,
    email: amended.email,
    token,
    isPurchase: amended.cart !== null,
  });
  return { kind: "code" };
}

/** Sends the email after the response, unless its address had too many messages already. */
async function sendCode(
  asked: LocalAskedLater,
  {
    id,
    email,
    token,
    isPurchase,
  }: { id: string; email: string; token: string; isPurchase: boolean },
): Promise<void> {
  const accounts = accountsOf(asked);
  const { ctx } = asked;
  const isWithinLimits = await countSendTo(accounts.db, { destination: email }, ctx.realNow());
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
    isPurchase,
  });
  if (isWithinLimits)
    afterAnswer(asked, async () => mail(ctx, { key: opened.id, to: email }, letter));
}

/** The verified email must be the pending one, which may have been corrected meanwhile. */
async function proven(
  asked: LocalAsked,
  pending: PendingRegistration,
  challenge: Challenge,
): Promise<RegistrationEnd> {
  if (challenge.address !== pending.email) throw new VerificationNotSent();
  if (!isComplete(pending)) throw new RegistrationExpired();
  const end = await finish(asked, pending, challenge);
  // A guest chose no username, so any is retried, and the verification stays valid.
  if (end.kind !== "username-taken" || pending.cart === null) return end;
  return finish(
    asked,
    { ...pending, username: withUniqueSuffix(pending.username, asked.ctx.newId()) },
    null,
  );
}

/**
 * Completes a registration in ONE batch: consumes the code, deletes the registration, and inserts
 * account, person, profile and accepted terms. Then signs the browser in.
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
    throw asRefusal(error, challenge);
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
 * The batch was refused as a whole. The email is verified nevertheless, so that its owner can learn
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
    throw asRefusal(error, challenge);
  }
  return { kind: isTaken ? "email-taken" : "username-taken" };
}

/**
 * Translates a stale batch: the code was used, or the registration finished or changed, at the same
 * moment.
 */
function asRefusal(error: unknown, challenge: Challenge | null): unknown {
  if (!(error instanceof StaleWrite)) return error;
  return challenge ? new VerificationUsed() : new RegistrationExpired();
}
