import type { Cents } from "#app/domain/money.ts";
import type { PixKeyKind, ProviderTransfer } from "#app/domain/payments/schema.ts";
import { DAY_MS } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";
import type { PayoutStatus } from "./schema.ts";

/** A balance this old is paid out whatever its size. Source: domain rules, "Payouts". */
export const SMALL_BALANCE_AFTER_MS = 30 * DAY_MS;
/** The usual minimum payout: R$ 10,00. Source: domain rules, "Payouts". */
export const MINIMUM_PAYOUT_CENTS = 1_000;

/**
 * Returns the minimum payout now, in centavos: R$ 10,00.
 *
 * It is one centavo when the account closes, or when the oldest available part (`availableSince`)
 * is at least thirty days old. Source: domain rules, "Payouts".
 */
export function minimumPayoutCents({
  isClosing = false,
  availableSince,
  now,
}: {
  isClosing?: boolean;
  availableSince: Instant | null;
  now: Instant;
}): Cents {
  return isClosing || (availableSince !== null && now - availableSince >= SMALL_BALANCE_AFTER_MS)
    ? 1
    : MINIMUM_PAYOUT_CENTS;
}

/** Returns the instant up to which a balance counts as old. */
export const smallBalanceCutoff = (now: Instant): Instant => now - SMALL_BALANCE_AFTER_MS;

/** Payouts wait a day after a change of key. */
export const METHOD_HOLD_MS = DAY_MS;

const LABELS: Record<PayoutStatus, string> = {
  requested: "Pedido",
  held: "Retido",
  claimed: "Em envio",
  sent: "Em envio",
  paid: "Pago",
  failed: "Falhou",
  returned: "Devolvido",
  canceled: "Cancelado",
};

/** Returns the Portuguese label of a payout's status. */
export const payoutLabel = (status: PayoutStatus): string => LABELS[status];

export type PayoutProblem =
  | "no_method"
  | "documents"
  | "already_open"
  | "no_provider"
  | "held_by_staff"
  | "below_minimum"
  | "method_on_hold";

/**
 * Decides why a payout cannot be requested now, or null. Amounts in centavos. Source: domain rules,
 * "Payouts" and "Documents".
 */
export function payoutProblem(input: {
  hasMethod: boolean;
  documentsApproved: boolean;
  hasOpenPayout: boolean;
  /**
   * Whether a provider can send money to the destination: nothing is claimed for a transfer that no
   * provider makes.
   */
  canPayOut: boolean;
  availableCents: Cents;
  /** When the oldest part of it arrived. */
  availableSince: Instant | null;
  holdUntil: Instant | null;
  /** A moderator holds the creator's payouts. */
  isHeldByStaff: boolean;
  /** The last payout of a closing account has no minimum. */
  isClosing?: boolean;
  now: Instant;
}): PayoutProblem | null {
  if (!input.hasMethod) return "no_method";
  if (!input.documentsApproved) return "documents";
  if (input.hasOpenPayout) return "already_open";
  if (!input.canPayOut) return "no_provider";
  if (input.isHeldByStaff) return "held_by_staff";
  if (input.holdUntil !== null && input.holdUntil > input.now) return "method_on_hold";
  return input.availableCents < minimumPayoutCents(input) ? "below_minimum" : null;
}

/** Returns the payout statuses from which the provider's transfer status `next` applies. */
export function payoutStatesBefore(next: ProviderTransfer["status"]): readonly PayoutStatus[] {
  if (next === "returned") return ["paid"];
  if (next === "processing") return ["claimed"];
  return ["claimed", "sent"];
}

/** Formats a Pix key as shown: enough to recognise it, not enough to copy it. */
export function maskPixKey(kind: PixKeyKind, key: string): string {
  if (kind === "email") return key.replace(/^(.).*(@.*)$/, "$1•••$2");
  if (kind === "cpf") return `•••.${key.slice(3, 6)}.${key.slice(6, 9)}-••`;
  if (kind === "cnpj") return `••.${key.slice(2, 5)}.${key.slice(5, 8)}/••••-${key.slice(12)}`;
  if (kind === "phone") return `${key.slice(0, 5)} •••••-${key.slice(-4)}`;
  return `${key.slice(0, 4)}•••${key.slice(-4)}`;
}
