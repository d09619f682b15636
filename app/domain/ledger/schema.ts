import { z } from "zod";
import { formatMoney, parseMoney } from "#app/domain/money.ts";
import type { Cents } from "#app/domain/money.ts";

/**
 * Every kind of account: the side that raises it, and whether it may go below zero in its own
 * sense.
 */
export const ledgerAccountKinds = {
  provider_clearing: { normalSide: 1, hasFloor: false, title: "No provedor" },
  platform_cash: { normalSide: 1, hasFloor: false, title: "Caixa da plataforma" },
  creator_owed: { normalSide: 1, hasFloor: true, title: "A descontar" },
  creator_pending: { normalSide: -1, hasFloor: true, title: "A liberar" },
  creator_available: { normalSide: -1, hasFloor: true, title: "Disponível" },
  creator_reserved: { normalSide: -1, hasFloor: true, title: "Bloqueado" },
  payout_in_transit: { normalSide: -1, hasFloor: true, title: "A caminho" },
  refund_in_transit: { normalSide: -1, hasFloor: true, title: "A devolver por Pix" },
  fees_reserved: { normalSide: -1, hasFloor: true, title: "Taxas bloqueadas" },
  platform_fees: { normalSide: -1, hasFloor: false, title: "Taxas da plataforma" },
  provider_costs: { normalSide: 1, hasFloor: false, title: "Custos do provedor" },
  write_offs: { normalSide: 1, hasFloor: false, title: "Baixas" },
} as const satisfies Record<string, { normalSide: 1 | -1; hasFloor: boolean; title: string }>;

export type LedgerAccountKind = keyof typeof ledgerAccountKinds;

/**
 * `ownerId` is a creator, a payout, a refund or a provider, depending on the kind; null for the
 * platform's own accounts.
 */
export type LedgerAccountRef = { kind: LedgerAccountKind; ownerId: string | null };

/** One leg of a posting. A positive `debitCents` debits the account, a negative one credits it. */
export type PostingLeg = { account: LedgerAccountRef; debitCents: Cents };

type PostingKind =
  | "charge.succeeded"
  | "charge.released"
  | "charge.refunded"
  | "refund.transferred"
  | "refund.transfer_returned"
  | "refund.taken_back"
  | "dispute.opened"
  | "dispute.lost"
  | "dispute.won"
  | "payout.claimed"
  | "payout.paid"
  | "payout.failed"
  | "payout.returned"
  | "provider.moved"
  | "platform.put_in"
  | "platform.took_out"
  | "provider.cost"
  | "debt.paid"
  | "debt.written_off";

/** An event as the books record it. `sourceKey` makes it unique for ever. */
export type Posting = {
  sourceKey: string;
  kind: PostingKind;
  chargeId: string | null;
  payoutId: string | null;
  legs: PostingLeg[];
};

/** The largest amount in one form: R$ 99.999.999,99. */
const MOST_MOVED_CENTS = 9_999_999_999;

/**
 * Parses an amount of platform money or of a provider transfer: typed in reais, returned in
 * centavos.
 */
export const movedAmountSchema = z.string().transform((text, check): Cents => {
  const cents = parseMoney(text, MOST_MOVED_CENTS);
  if (cents !== null && cents > 0) return cents;
  check.addIssue({
    code: "custom",
    message: `Escreva o valor assim: 19,90. De uma vez cabem até ${formatMoney(MOST_MOVED_CENTS)}.`,
  });
  return z.NEVER;
});
