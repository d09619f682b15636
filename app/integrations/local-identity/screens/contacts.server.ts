import { commit } from "#app/db/client.server.ts";
import { StaleWrite, UniqueViolation } from "#app/db/errors.ts";
import { personEmailStatements } from "#app/domain/identity/contacts/commands.server.ts";
import { VerificationUsed } from "#app/domain/identity/errors.ts";
import {
  ContactAlreadyVerified,
  ContactNotFound,
  ContactNotVerified,
  ContactTaken,
  PrimaryContactRequired,
} from "#app/domain/identity/contacts/errors.ts";
import {
  codeTextMessage,
  contactAddedEmail,
  contactRemovedEmail,
  primaryEmailChangedEmail,
  primaryPhoneChangedEmail,
} from "#app/domain/identity/contacts/rules/contact-emails.ts";
import { contactActions, contactsPath } from "#app/domain/identity/contacts/rules/contacts.ts";
import type { ContactKind } from "#app/domain/identity/contacts/rules/contacts.ts";
import { verificationEmail } from "#app/domain/identity/emails/rules/emails.ts";
import type { EmailContent } from "#app/domain/identity/emails/rules/emails.ts";
import { formatPhone } from "#app/domain/identity/contacts/rules/phones.ts";
import type { ContactView } from "#app/domain/identity/embedded/schema.ts";
import type { LinkOutcome } from "#app/domain/identity/account/schema.ts";
import {
  browserSecret,
  ensureBrowserSecret,
} from "#app/integrations/local-identity/sessions/client-cookie.ts";
import type { Challenge } from "#app/integrations/local-identity/second-factor/challenges.server.ts";
import { localAccountStatus } from "#app/integrations/local-identity/account/account.server.ts";
import {
  codeLimits,
  codeLimitsOfAddress,
  countAttempt,
  countSendTo,
  sendLimits,
  sendLimitsOfAddress,
} from "#app/integrations/local-identity/rate-limits.server.ts";
import {
  latestChallenge,
  challengeByLink,
  issueChallenge,
  checkCode,
} from "#app/integrations/local-identity/second-factor/challenges.server.ts";
import {
  addContact,
  contactsOf,
  primaryContactWrites,
  provenContactWrites,
  contactChallengePurpose,
  removedContactWrites,
} from "#app/integrations/local-identity/account/contacts.server.ts";
import { primaryEmailOf } from "#app/integrations/local-identity/registration/identifiers.server.ts";
import { accountsOf } from "./asked.server.ts";
import { outcomeOf } from "./link-outcome.ts";
import type { LocalAsked } from "./asked.server.ts";
import { linkTo, mail, quietly } from "#app/domain/identity/commands/letters.server.ts";

type ContactRef = { kind: ContactKind; contactId: string };

/** The emails or phones of the current user, the primary first. */
export async function memberContacts(
  asked: LocalAsked,
  { kind }: { kind: ContactKind },
): Promise<ContactView[]> {
  return contactsShown(asked, kind, (await account(asked)).userId);
}

/**
 * One contact of the current user, and whether a code sent to it is still valid. Refuses a contact
 * that does not exist or belongs to somebody else.
 */
export async function memberContact(
  asked: LocalAsked,
  one: ContactRef,
): Promise<ContactView & { hasLiveCode: boolean }> {
  const { userId } = await account(asked);
  const accounts = accountsOf(asked);
  const [contact, sent] = await Promise.all([
    contactShown(asked, one, userId),
    latestChallenge(accounts, {
      purpose: contactChallengePurpose(one.kind),
      subject: one.contactId,
    }),
  ]);
  return {
    ...contact,
    hasLiveCode: sent !== null && sent.usedAt === null && sent.expiresAt > accounts.now,
  };
}

/**
 * "Adicionar": saves the typed contact and sends a code to it. Whether somebody else has it is
 * revealed only after the code. Refuses an existing one of the same user, too many contacts, and
 * too many codes. Returns the contact's id and the cookie of the browser that can open the email's
 * link.
 */
export async function addMemberContact(
  asked: LocalAsked,
  { kind, address }: { kind: ContactKind; address: string },
): Promise<{ contactId: string; shown: string; cookie: string }> {
  const { userId } = await account(asked);
  const accounts = accountsOf(asked);
  const contactId = await addContact(accounts, kind, { userId, address });
  return { contactId, ...(await sendCode(asked, { kind, contactId }, userId)) };
}

/**
 * Sends a code, and to an email a link, replacing any earlier one. Refuses a confirmed contact, too
 * many codes and too frequent ones. Past the limits of the address nothing is sent.
 */
export async function sendContactCode(
  asked: LocalAsked,
  one: ContactRef,
): Promise<{ shown: string; cookie: string }> {
  return sendCode(asked, one, (await account(asked)).userId);
}

async function sendCode(
  asked: LocalAsked,
  one: ContactRef,
  userId: string,
): Promise<{ shown: string; cookie: string }> {
  const accounts = accountsOf(asked);
  const { request, ctx } = asked;
  const { address, shown, isVerified } = await contactShown(asked, one, userId);
  if (isVerified) throw new ContactAlreadyVerified(one.kind);
  await countAttempt(
    accounts.db,
    [...sendLimits(userId, request), ...sendLimitsOfAddress(address)],
    ctx.realNow(),
  );
  const isWithinLimits = await countSendTo(accounts.db, { destination: address }, ctx.realNow());
  const { client, cookie } = ensureBrowserSecret(request);
  const opened = await issueChallenge(accounts, {
    purpose: contactChallengePurpose(one.kind),
    subject: one.contactId,
    userId,
    address,
    client,
  });
  if (!isWithinLimits) return { shown, cookie };
  if (one.kind === "phone")
    await ctx.sms.send({
      key: opened.id,
      to: address,
      body: codeTextMessage({ code: opened.code, act: "confirmar este telefone" }),
    });
  else
    await mail(
      ctx,
      { key: opened.id, to: address },
      verificationEmail({ code: opened.code, link: linkTo(ctx, `/auth/verify/${opened.token}`) }),
    );
  return { shown, cookie };
}

/**
 * Verifies a contact with the typed code. Refuses a wrong, used or expired one, and a contact that
 * somebody else confirmed first.
 */
export async function verifyContactByCode(
  asked: LocalAsked,
  { code, ...one }: ContactRef & { code: string },
): Promise<{ shown: string }> {
  const { userId } = await account(asked);
  const accounts = accountsOf(asked);
  const { address, shown } = await contactShown(asked, one, userId);
  await countAttempt(
    accounts.db,
    [...codeLimits(userId, asked.request), ...codeLimitsOfAddress(address)],
    asked.ctx.realNow(),
  );
  const sent = await latestChallenge(accounts, {
    purpose: contactChallengePurpose(one.kind),
    subject: one.contactId,
  });
  await prove(asked, one.kind, await checkCode(accounts, sent, code));
  return { shown };
}

/** The outcome of an email's link in this browser; with `accept` it is used. */
export async function verifyContactByLink(
  asked: LocalAsked,
  { token, accept }: { token: string; accept: boolean },
): Promise<LinkOutcome> {
  const accounts = accountsOf(asked);
  return outcomeOf(async () => {
    const challenge = await challengeByLink(accounts, {
      purpose: "email-verification",
      token,
      client: browserSecret(asked.request),
    });
    if (!accept) return "ready";
    await prove(asked, "email", challenge);
    return "verified";
  });
}

/**
 * Consumes the code and confirms the contact in one batch. Notifies the primary email, unless that
 * is the confirmed contact.
 */
async function prove(asked: LocalAsked, kind: ContactKind, challenge: Challenge): Promise<void> {
  const { ctx } = asked;
  const accounts = accountsOf(asked);
  try {
    await commit(ctx.db, provenContactWrites({ ...accounts, db: ctx.db }, kind, challenge));
  } catch (error) {
    if (error instanceof UniqueViolation) throw new ContactTaken(kind);
    throw error instanceof StaleWrite ? new VerificationUsed() : error;
  }
  ctx.log("identity.contact_proven", { kind });
  const { address, userId } = challenge;
  await notifyPrimary(asked, userId, (primary) =>
    primary === address
      ? null
      : contactAddedEmail({ ...ways(asked, kind), kind, address: shownAs(kind, address) }),
  );
}

/**
 * Makes a confirmed contact primary. An email replaces the account's email everywhere, in one
 * batch, and the former one is notified. This is the "e-mail change" of the embedded identity.
 * Refuses an unconfirmed contact.
 */
export async function makeContactPrimary(
  asked: LocalAsked,
  { kind, contactId }: ContactRef,
): Promise<{ shown: string }> {
  const { ctx } = asked;
  const { userId, email: former } = await account(asked);
  const accounts = accountsOf(asked);
  const { address, shown, isPrimary, isVerified } = await contactShown(
    asked,
    { kind, contactId },
    userId,
  );
  if (!isVerified) throw new ContactNotVerified(kind);
  if (isPrimary) return { shown };
  const person =
    kind === "email"
      ? personEmailStatements(ctx, { provider: "local", providerUserId: userId, email: address })
      : [];
  try {
    await commit(ctx.db, [
      ...primaryContactWrites({ ...accounts, db: ctx.db }, kind, { userId, contactId }),
      ...person,
    ]);
  } catch (error) {
    if (error instanceof UniqueViolation) throw new ContactTaken(kind);
    throw error instanceof StaleWrite ? new ContactNotFound(kind) : error;
  }
  ctx.log("identity.primary_contact_changed", { kind });
  const emailFields = { ...ways(asked, kind), address: shown };
  await sendEmail(
    asked,
    former,
    kind === "email"
      ? primaryEmailChangedEmail(emailFields)
      : primaryPhoneChangedEmail(emailFields),
  );
  return { shown };
}

/**
 * Removes a contact, with every code sent to it; the primary email is notified. Refuses the primary
 * one, unless it is the last phone.
 */
export async function removeMemberContact(
  asked: LocalAsked,
  { kind, contactId }: ContactRef,
): Promise<{ shown: string }> {
  const { ctx } = asked;
  const { userId, email } = await account(asked);
  const accounts = accountsOf(asked);
  const { shown, acts, isVerified } = await contactShown(asked, { kind, contactId }, userId);
  if (!acts.mayBeRemoved) throw new PrimaryContactRequired(kind);
  try {
    await commit(
      ctx.db,
      removedContactWrites({ ...accounts, db: ctx.db }, kind, { userId, contactId }),
    );
  } catch (error) {
    throw error instanceof StaleWrite ? new PrimaryContactRequired(kind) : error;
  }
  ctx.log("identity.contact_removed", { kind });
  if (isVerified)
    await sendEmail(
      asked,
      email,
      contactRemovedEmail({ ...ways(asked, kind), kind, address: shown }),
    );
  return { shown };
}

async function account(asked: LocalAsked): Promise<{ userId: string; email: string }> {
  const accounts = accountsOf(asked);
  return localAccountStatus(accounts, asked.request);
}

async function contactsShown(
  asked: LocalAsked,
  kind: ContactKind,
  userId: string,
): Promise<ContactView[]> {
  const accounts = accountsOf(asked);
  const all = await contactsOf(accounts.db, kind, userId);
  return all.map((contact) => ({
    ...contact,
    shown: shownAs(kind, contact.address),
    acts: contactActions(kind, contact, all),
  }));
}

async function contactShown(
  asked: LocalAsked,
  { kind, contactId }: ContactRef,
  userId: string,
): Promise<ContactView> {
  const contact = (await contactsShown(asked, kind, userId)).find((own) => own.id === contactId);
  if (!contact) throw new ContactNotFound(kind);
  return contact;
}

const shownAs = (kind: ContactKind, address: string): string =>
  kind === "phone" ? formatPhone(address) : address;

function ways({ ctx }: LocalAsked, kind: ContactKind): { reset: string; contacts: string } {
  return { reset: linkTo(ctx, "/auth/reset"), contacts: linkTo(ctx, contactsPath(kind)) };
}

async function notifyPrimary(
  asked: LocalAsked,
  userId: string | null,
  write: (primary: string) => EmailContent | null,
): Promise<void> {
  const accounts = accountsOf(asked);
  const primary = userId === null ? null : await primaryEmailOf(accounts.db, userId);
  const letter = primary === null ? null : write(primary);
  if (primary !== null && letter !== null) await sendEmail(asked, primary, letter);
}

async function sendEmail({ ctx }: LocalAsked, to: string, letter: EmailContent): Promise<void> {
  await quietly(ctx, async () => mail(ctx, { key: ctx.newId(), to }, letter));
}
