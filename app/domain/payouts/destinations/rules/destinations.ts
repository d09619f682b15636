import type { TransferCapability } from "#app/domain/payments/providers/rules/providers.ts";
import type { TransferRequest } from "#app/domain/payments/schema.ts";
import { isoDay } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";
import { decodeAccount, maskAccount } from "./accounts.ts";
import { nextTransferWindow } from "#app/domain/payouts/batches/rules/business-days.ts";
import { maskPixKey } from "#app/domain/payouts/rules.ts";
import type { AccountOwner, PayoutStatus } from "#app/domain/payouts/schema.ts";
import type { Destination, DestinationKind } from "#app/domain/payouts/schema/destinations.ts";

/** Where money goes, as shown: enough to recognise it, not enough to copy it. */
export const maskDestination = (kind: DestinationKind, key: string): string =>
  kind === "bank_account" ? maskAccount(key) : maskPixKey(kind, key);

/** The same in a sentence: "chave a•••@exemplo.test", "Bradesco · agência 1263 · conta •••9-1". */
export const destinationLabel = (kind: DestinationKind, key: string): string =>
  kind === "bank_account" ? maskDestination(kind, key) : `chave ${maskDestination(kind, key)}`;

/** What a provider must be able to do to send money there. */
export const transferCapabilityFor = (kind: DestinationKind): TransferCapability =>
  kind === "bank_account" ? "transfer_to_bank_account" : "transfer_to_pix_key";

/**
 * When what is asked for at `now` may leave: to a Pix key at once, to a bank account within the
 * hours of a business day. Source: domain rules, "Payouts".
 */
export const sendableAt = (kind: DestinationKind, now: Instant): Instant =>
  kind === "bank_account" ? nextTransferWindow(now) : now;

type SentPayout = { status: PayoutStatus; pixKeyKind: DestinationKind; sentAt: Instant | null };

/**
 * The day on which a payout to a bank account arrives: that on which it left, or leaves when asked
 * at `now`; null of a Pix key, of one not on its way, and once that day is over.
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
 * What the provider is told of where money goes. An account goes with its owner's name and number:
 * a bank sends back what is another's.
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

/** Whether two say the same place. */
export const isSameDestination = (
  one: { pixKeyKind: DestinationKind; pixKey: string } | null,
  { kind, key }: Destination,
): boolean => one !== null && one.pixKeyKind === kind && one.pixKey === key;
