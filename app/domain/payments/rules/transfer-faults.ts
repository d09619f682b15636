/** Looked for first: what opens our account at a provider is a key too, and nobody's Pix key. */
const ACCESS_FAULT = /api_?key|access_?token|unauthori[sz]ed|forbidden|permission/i;
const KEY_FAULT = /key|chave|recipient|account_(not_found|closed|invalid)/i;
const BALANCE_FAULT = /balance|saldo/i;
const HOUSE_FAULT = /limit|suspended|unavailable|maintenance|(^|[^a-z])rate([^a-z]|$)/i;

/** Our code for a provider that does not take our own key: a fault of the house's. */
export const KEY_NOT_TAKEN = "unauthorized";

/** Whose fault a provider's `code` for a transfer that it refused or failed names: of the key or account that money goes to, or of our own account there; null where it does not say. */
export function transferFault(code: string | null): "key" | "house" | null {
  if (ACCESS_FAULT.test(code ?? "")) return "house";
  if (KEY_FAULT.test(code ?? "")) return "key";
  return isForBalance(code) || HOUSE_FAULT.test(code ?? "") ? "house" : null;
}

/** Whether a fault of the house's is that it holds too little there, and not what its account there may do. */
export const isForBalance = (code: string | null): boolean => BALANCE_FAULT.test(code ?? "");

/** Whether what a provider says of a transfer is of another one than is known under the same reference; an answer that has no id is of ours. */
export const isAnotherTransfer = (ours: { providerTransferId: string | null }, said: { id: string }): boolean => ours.providerTransferId !== null && said.id !== "" && said.id !== ours.providerTransferId;
