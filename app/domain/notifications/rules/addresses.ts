import type { Instant } from "#app/domain/time.ts";
import { isOptional } from "./kinds.ts";
import type { NotificationKind } from "./kinds.ts";

/** What the email service reported about an address, and has not been undone by its owner. */
export type AddressStatus = {
  /** Its mailbox refused an email for good. */
  hasBounced: boolean;
  /** Somebody marked an email to it as spam. */
  hasComplained: boolean;
};

export const OPEN_ADDRESS: AddressStatus = { hasBounced: false, hasComplained: false };

/**
 * Returns whether an email of the kind may go to the address of somebody with an account. After a
 * complaint only what nobody may switch off goes (payments, failures, disputes, documents,
 * security, decisions). After a permanent bounce nothing goes. Emails of access to the account are
 * not asked about here: somebody at the keyboard waits for them, or they protect the account.
 */
export const isAddressOpen = (
  { hasBounced, hasComplained }: AddressStatus,
  kind: NotificationKind | "digest",
): boolean => !hasBounced && (!hasComplained || (kind !== "digest" && !isOptional(kind, "mail")));

/** What happened to an email after it was handed over, as its service reports it. */
export type MailEvent = {
  type: "bounced" | "complained";
  address: string;
  /** False for a bounce after which the service tries again. */
  isPermanent: boolean;
  /** Real time. */
  occurredAt: Instant;
};

/** Addresses are compared in lower case. */
export const normalizedAddress = (address: string): string => address.trim().toLowerCase();
