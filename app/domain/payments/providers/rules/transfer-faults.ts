import type { ProviderTransfer } from "#app/domain/payments/schema.ts";

/** Tested first: an API key of ours is a "key" too, and no Pix key. */
const ACCESS_FAULT = /api_?key|access_?token|unauthori[sz]ed|forbidden|permission/i;
const KEY_FAULT = /key|chave|recipient|account_(not_found|closed|invalid)/i;
const BALANCE_FAULT = /balance|saldo/i;
const PLATFORM_FAULT = /limit|suspended|unavailable|maintenance|(^|[^a-z])rate([^a-z]|$)/i;

/** Our code for a provider that rejects our API key: a fault on our side. */
export const PROVIDER_KEY_REJECTED = "unauthorized";

/**
 * Tells whose fault a provider's `code` for a failed transfer is. "key": the destination key or
 * account. "house": our own account at the provider. Null when the code does not tell.
 */
export function transferFault(code: string | null): "key" | "house" | null {
  if (ACCESS_FAULT.test(code ?? "")) return "house";
  if (KEY_FAULT.test(code ?? "")) return "key";
  return isInsufficientBalance(code) || PLATFORM_FAULT.test(code ?? "") ? "house" : null;
}

/** Reports whether our account's fault is a low balance, and not a restriction. */
export const isInsufficientBalance = (code: string | null): boolean =>
  BALANCE_FAULT.test(code ?? "");

/**
 * Reports whether the provider's transfer is another one than ours under the same reference. An
 * answer without an id is ours.
 */
export const isDifferentTransfer = (
  ours: { providerTransferId: string | null },
  providerTransfer: { id: string },
): boolean =>
  ours.providerTransferId !== null &&
  providerTransfer.id !== "" &&
  providerTransfer.id !== ours.providerTransferId;

type SavedTransfer = { status: string; providerTransferId: string | null };

/**
 * Interprets the provider's status of a transfer of ours. The same paid transfer, later reported as
 * failed, was returned; Asaas has no status for that. INVARIANT: money that the provider reports as
 * not delivered is booked to somebody, however late the report comes. Source:
 * docs/decisions/money/never-send-the-same-money-twice.md.
 */
export const interpretTransfer = (
  ours: SavedTransfer,
  providerTransfer: ProviderTransfer,
): ProviderTransfer =>
  ours.status === "paid" &&
  providerTransfer.status === "failed" &&
  providerTransfer.id === ours.providerTransferId
    ? { ...providerTransfer, status: "returned" }
    : providerTransfer;

/**
 * Reports whether the provider pays, or is about to pay, a transfer that we already reversed. The
 * money may then exist twice. INVARIANT: money that may have been paid is not sent again before
 * staff review. Source: docs/decisions/money/never-send-the-same-money-twice.md.
 */
export const isPaidAfterReversal = (
  ours: Pick<SavedTransfer, "status">,
  providerTransfer: Pick<ProviderTransfer, "status">,
): boolean =>
  (ours.status === "failed" || ours.status === "returned") &&
  (providerTransfer.status === "processing" || providerTransfer.status === "paid");
