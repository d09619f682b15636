const KEY_FAULT = /key|chave|recipient|account_(not_found|closed|invalid)/i;
const HOUSE_FAULT = /balance|saldo|limit|unauthori[sz]ed|forbidden|suspended|unavailable|maintenance|(^|[^a-z])rate([^a-z]|$)/i;

/** Whose fault a provider's `code` for a transfer that it refused or failed names: of the key or account that money goes to, or of our own account there; null where it does not say. */
export function transferFault(code: string | null): "key" | "house" | null {
  if (KEY_FAULT.test(code ?? "")) return "key";
  return HOUSE_FAULT.test(code ?? "") ? "house" : null;
}
