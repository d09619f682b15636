import type { ProviderTransfer } from "#app/domain/payments/schema.ts";

/** Looked for first: what opens our account at a provider is a key too, and nobody's Pix key. */
const ACCESS_FAULT = /api_?key|access_?token|unauthori[sz]ed|forbidden|permission/i;
const KEY_FAULT = /key|chave|recipient|account_(not_found|closed|invalid)/i;
const BALANCE_FAULT = /balance|saldo/i;
const HOUSE_FAULT = /limit|suspended|unavailable|maintenance|(^|[^a-z])rate([^a-z]|$)/i;

/** Our code for a provider that does not take our own key: a fault of the house's. */
export const PROVIDER_KEY_REJECTED = "unauthorized";

/**
 * Whose fault a provider's `code` for a transfer that it refused or failed names: of the key or
 * account that money goes to, or of our own account there; null where it does not say.
 */
export function transferFault(code: string | null): "key" | "house" | null {
  if (ACCESS_FAULT.test(code ?? "")) return "house";
  if (KEY_FAULT.test(code ?? "")) return "key";
  return isInsufficientBalance(code) || HOUSE_FAULT.test(code ?? "") ? "house" : null;
}

/**
 * Whether a fault of the house's is that it holds too little there, and not what its account there
 * may do.
 */
export const isInsufficientBalance = (code: string | null): boolean =>
  BALANCE_FAULT.test(code ?? "");

/**
 * Whether what a provider says of a transfer is of another one than is known under the same
 * reference; an answer that has no id is of ours.
 */
export const isDifferentTransfer = (
  ours: { providerTransferId: string | null },
  said: { id: string },
): boolean =>
  ours.providerTransferId !== null && said.id !== "" && said.id !== ours.providerTransferId;

type KnownTransfer = { status: string; providerTransferId: string | null };

/**
 * What is said of a transfer that we have, in our words: the very one that was paid and is told as
 * failed came back, of a provider that has no word for that (Asaas) too. INVARIANT: what a provider
 * says did not arrive is in somebody's place, however late it says so. Source:
 * docs/decisions/money/never-send-the-same-money-twice.md.
 */
export const interpretTransfer = (ours: KnownTransfer, said: ProviderTransfer): ProviderTransfer =>
  ours.status === "paid" && said.status === "failed" && said.id === ours.providerTransferId
    ? { ...said, status: "returned" }
    : said;

/**
 * Whether the provider pays, or is about to, what was given back as failed or returned: the money
 * may end in two places. INVARIANT: what may have been paid is not sent again before somebody
 * looked. Source: docs/decisions/money/never-send-the-same-money-twice.md.
 */
export const isPaidAfterReversal = (
  ours: Pick<KnownTransfer, "status">,
  said: Pick<ProviderTransfer, "status">,
): boolean =>
  (ours.status === "failed" || ours.status === "returned") &&
  (said.status === "processing" || said.status === "paid");
