import type { LedgerAccountKind } from "#app/domain/ledger/schema.ts";
import type { Cents } from "#app/domain/money.ts";
import type { Instant } from "#app/domain/time.ts";
import { remainingFeeAndNet } from "./statement.ts";
import type { CountedPayment } from "./statement.ts";

/** Who views a payment: its payer, its seller (or their team), or the staff. */
export type TransactionSide = "payer" | "seller" | "moderation";

export type FigureEntry = {
  accountKind: LedgerAccountKind;
  amountCents: Cents;
  transactionKind: string;
  sourceKey: string;
  postedAt: Instant | null;
};

export type TransactionFigureName =
  | "gross"
  | "refunded"
  | "disputed"
  | "fee"
  | "net"
  | "released"
  | "paid"
  | "returned"
  | "recovered"
  | "spent";

/** A figure of a payment with its entries. Their sum, with the figure's own sign, is the figure. */
export type TransactionFigure = {
  name: TransactionFigureName;
  cents: Cents;
  entries: FigureEntry[];
};

export type PostedPayment = CountedPayment & {
  entries: FigureEntry[];
  disputes: { id: string; status: "open" | "won" | "lost" }[];
};

const CREATORS: readonly LedgerAccountKind[] = [
  "creator_pending",
  "creator_available",
  "creator_owed",
];
const RESERVED: readonly LedgerAccountKind[] = ["creator_reserved", "fees_reserved"];

/**
 * Returns the figures of a payment as one side sees them, each with its entries. Leaves out figures
 * without a posting. The payer sees what they paid and were refunded, never how it was divided.
 */
export function transactionFigures(
  side: TransactionSide,
  payment: PostedPayment,
): TransactionFigure[] {
  return (side === "payer" ? payersFigures(payment) : sellersFigures(payment)).filter(
    (figure) => figure.entries.length > 0,
  );
}

function payersFigures(payment: PostedPayment): TransactionFigure[] {
  const clearing = entriesAt(payment, ["provider_clearing"]);
  const paid = clearing.filter((entry) => entry.transactionKind === "charge.succeeded");
  const returned = returnedEntries(payment);
  const lost = clearing.filter((entry) => entry.transactionKind === "dispute.lost");
  const back = [...returned, ...lost];
  return [
    { name: "paid", cents: payment.amountCents, entries: paid },
    { name: "returned", cents: payment.refundedCents, entries: returned },
    { name: "recovered", cents: -sumEntries(lost), entries: lost },
    // Without a refund this equals what was paid.
    {
      name: "spent",
      cents: payment.amountCents - payment.refundedCents + sumEntries(lost),
      entries: back.length === 0 ? [] : [...paid, ...back],
    },
  ];
}

function sellersFigures(payment: PostedPayment): TransactionFigure[] {
  const clearing = entriesAt(payment, ["provider_clearing"]);
  const openedDisputes = new Set(
    payment.disputes
      .filter((dispute) => dispute.status !== "won")
      .map((dispute) => `dispute:${dispute.id}:opened`),
  );
  const released = payment.entries.filter(
    (entry) => entry.transactionKind === "charge.released" && entry.amountCents < 0,
  );
  const { feeCents, netCents } = remainingFeeAndNet(payment);
  return [
    {
      name: "gross",
      cents: payment.amountCents,
      entries: clearing.filter((entry) => entry.transactionKind === "charge.succeeded"),
    },
    { name: "refunded", cents: payment.refundedCents, entries: returnedEntries(payment) },
    {
      name: "disputed",
      cents: payment.disputedCents,
      entries: entriesAt(payment, RESERVED).filter((entry) => openedDisputes.has(entry.sourceKey)),
    },
    { name: "fee", cents: feeCents, entries: entriesAt(payment, ["platform_fees"]) },
    { name: "net", cents: netCents, entries: entriesAt(payment, CREATORS) },
    { name: "released", cents: -sumEntries(released), entries: released },
  ];
}

/** Refunds at the provider, and amounts reserved for refund transfers. */
const returnedEntries = (payment: PostedPayment): FigureEntry[] =>
  entriesAt(payment, ["provider_clearing", "refund_in_transit"]).filter(
    (entry) => entry.transactionKind === "charge.refunded",
  );

const entriesAt = (
  { entries }: PostedPayment,
  kinds: readonly LedgerAccountKind[],
): FigureEntry[] => entries.filter((entry) => kinds.includes(entry.accountKind));

/** Sums entries in centavos. Debits are positive, as in the ledger. */
export const sumEntries = (entries: readonly FigureEntry[]): Cents =>
  entries.reduce((sum, entry) => sum + entry.amountCents, 0);
