/** A channel by which a person is reached and signs in, besides the username. */
export type ContactKind = "email" | "phone";

/** One e-mail or phone of an account. `address` is lower-case, or E.164. */
export type Contact = { id: string; address: string; isPrimary: boolean; isVerified: boolean };

/** How many of each an account may have, verified or not. */
export const CONTACTS_MAX: Record<ContactKind, number> = { email: 10, phone: 5 };

/** Returns the kind whose pages are at `/auth/account/<plural>`, or null. */
export function contactKindOf(plural: string | undefined): ContactKind | null {
  if (plural === "emails") return "email";
  return plural === "phones" ? "phone" : null;
}

/** Returns the page of the account's e-mails or phones. */
export const contactsPath = (kind: ContactKind): string =>
  kind === "email" ? "/auth/account/emails" : "/auth/account/phones";

export type ContactActs = { mayVerify: boolean; mayBePrimary: boolean; mayBeRemoved: boolean };

/**
 * Returns what a person can do with one of their contacts now. The last phone can be removed. An
 * account always keeps an e-mail.
 */
export function contactActions(
  kind: ContactKind,
  contact: Contact,
  all: readonly Contact[],
): ContactActs {
  const isOnlyPhone =
    kind === "phone" && !all.some((other) => other.id !== contact.id && other.isVerified);
  return {
    mayVerify: !contact.isVerified,
    mayBePrimary: contact.isVerified && !contact.isPrimary,
    mayBeRemoved: !contact.isPrimary || isOnlyPhone,
  };
}
