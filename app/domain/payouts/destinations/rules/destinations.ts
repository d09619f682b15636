import type { TransferCapability } from "#app/domain/payments/providers/rules/providers.ts";
import type { TransferRequest } from "#app/domain/payments/schema.ts";
import { isoDay } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";
import { decodeAccount, maskAccount } from "./accounts.ts";
import { nextTransferWindow } from "#app/domain/payouts/batches/rules/business-days.ts";
import { maskPixKey } from "#app/domain/payouts/rules.ts";
import type { AccountOwner, PayoutStatus } from "#app/domain/payouts/schema.ts";
import type { Destination, DestinationKind } from "#app/domain/payouts/schema/destinations.ts";

/** Formats a destination as shown: enough to recognise it, not enough to copy it. */
export const maskDestination = (kind: DestinationKind, key: string): string =>
  kind === "bank_account" ? maskAccount(key) : maskPixKey(kind, key);

/**
 * Formats a destination within a sentence: "chave a•••@exemplo.test", "Bradesco · agência 1263 ·
 * conta •••9-1".
 */
export const destinationLabel = (kind: DestinationKind, key: string): string =>
  kind === "bank_account" ? maskDestination(kind, key) : `chave ${maskDestination(kind, key)}`;

/** Returns the capability that a provider needs to send money to the destination. */
export const transferCapabilityFor = (kind: DestinationKind): TransferCapability =>
  kind === "bank_account" ? "transfer_to_bank_account" : "transfer_to_pix_key";

/**
 * Returns when a payout requested at `now` may leave: at once to a Pix key, within bank hours to an
 * account. Source: domain rules, "Payouts".
 */
export const sendableAt = (kind: DestinationKind, now: Instant): Instant =>
  kind === "bank_account" ? nextTransferWindow(now) : now;

type SentPayout = { status: PayoutStatus; pixKeyKind: DestinationKind; sentAt: Instant | null };

/**
 * Returns the day on which a payout to a bank account arrives: the day on which it left, or leaves
 * if sent at `now`. Null for a Pix key, for a payout not on its way, and once that day is over.
 */
export function arrivesAt(
  { status, pixKeyKind, sentAt }: SentPayout,
  now: Instant,
): Instant | null {
  if (pixKeyKind !== "bank_account" || (status !== "claimed" && status !== "sent")) return null;
  const at = sendableAt(pixKeyKind, sentAt ?? now);
  return isoDay(at) < isoDay(now) ? null : at;
}

/**
 * Builds the destination of a provider's transfer request. An account carries its owner's name and
 * tax id: the bank returns the money if they differ.
 */
export function transferDestination({
  pixKeyKind,
  pixKey,
  ownerName,
  ownerTaxId,
}: { pixKeyKind: DestinationKind; pixKey: string } & AccountOwner): DistributiveOmit<
  TransferRequest,
  "payoutId" | "amountCents" | "readyAt" | "asked"
> {
  if (pixKeyKind !== "bank_account") return { pixKeyKind, pixKey };
  if (ownerName === null || ownerTaxId === null) throw new Error("nobody owns this account");
  return { bankAccount: { ...decodeAccount(pixKey), ownerName, ownerTaxId } };
}

type DistributiveOmit<Union, Keys extends PropertyKey> = Union extends unknown
  ? Omit<Union, Keys>
  : never;

/** Whether two destinations are the same. */
export const isSameDestination = (
  one: { pixKeyKind: DestinationKind; pixKey: string } | null,
  { kind, key }: Destination,
): boolean => one !== null && one.pixKeyKind === kind && one.pixKey === key;
