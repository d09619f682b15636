import type { AccountKind } from "#app/domain/ledger/schema.ts";
import type { Cents } from "#app/domain/money.ts";
import type { Instant } from "#app/domain/time.ts";
import { leftOf } from "./statement.ts";
import type { Counted } from "./statement.ts";

/** Who looks at a payment: who paid it, who received it (or their team), or the staff. */
export type Side = "payer" | "seller" | "moderation";

export type Entry = {
  accountKind: AccountKind;
  amountCents: Cents;
  transactionKind: string;
  sourceKey: string;
  postedAt: Instant | null;
};

export type FigureName =
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

/**
 * A figure of a payment with the entries that make it: their sum, in the figure's own sense, is the
 * figure.
 */
export type Figure = { name: FigureName; cents: Cents; entries: Entry[] };

export type Posted = Counted & {
  entries: Entry[];
  disputes: { id: string; status: "open" | "won" | "lost" }[];
};

const CREATORS: readonly AccountKind[] = ["creator_pending", "creator_available", "creator_owed"];
const RESERVED: readonly AccountKind[] = ["creator_reserved", "fees_reserved"];

/**
 * The figures of a payment as one side reads them, each with its entries; a figure of which nothing
 * was posted is left out. Who paid sees what left and came back, never what became of it.
 */
export function figuresOf(side: Side, payment: Posted): Figure[] {
  return (side === "payer" ? payersFigures(payment) : sellersFigures(payment)).filter(
    (figure) => figure.entries.length > 0,
  );
}

function payersFigures(payment: Posted): Figure[] {
  const clearing = entriesAt(payment, ["provider_clearing"]);
  const paid = clearing.filter((entry) => entry.transactionKind === "charge.succeeded");
  const returned = returnedEntries(payment);
  const lost = clearing.filter((entry) => entry.transactionKind === "dispute.lost");
  const back = [...returned, ...lost];
  return [
    { name: "paid", cents: payment.amountCents, entries: paid },
    { name: "returned", cents: payment.refundedCents, entries: returned },
    { name: "recovered", cents: -sumOf(lost), entries: lost },
    // Where nothing came back it is what was paid.
    {
      name: "spent",
      cents: payment.amountCents - payment.refundedCents + sumOf(lost),
      entries: back.length === 0 ? [] : [...paid, ...back],
    },
  ];
}

function sellersFigures(payment: Posted): Figure[] {
  const clearing = entriesAt(payment, ["provider_clearing"]);
  const standing = new Set(
    payment.disputes
      .filter((dispute) => dispute.status !== "won")
      .map((dispute) => `dispute:${dispute.id}:opened`),
  );
  const released = payment.entries.filter(
    (entry) => entry.transactionKind === "charge.released" && entry.amountCents < 0,
  );
  const { feeCents, netCents } = leftOf(payment);
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
      entries: entriesAt(payment, RESERVED).filter((entry) => standing.has(entry.sourceKey)),
    },
    { name: "fee", cents: feeCents, entries: entriesAt(payment, ["platform_fees"]) },
    { name: "net", cents: netCents, entries: entriesAt(payment, CREATORS) },
    { name: "released", cents: -sumOf(released), entries: released },
  ];
}

/** What went back at the provider, and what was set aside to go by a Pix of ours. */
const returnedEntries = (payment: Posted): Entry[] =>
  entriesAt(payment, ["provider_clearing", "refund_in_transit"]).filter(
    (entry) => entry.transactionKind === "charge.refunded",
  );

const entriesAt = ({ entries }: Posted, kinds: readonly AccountKind[]): Entry[] =>
  entries.filter((entry) => kinds.includes(entry.accountKind));

/** Debits positive, as the books have them (centavos). */
export const sumOf = (entries: readonly Entry[]): Cents =>
  entries.reduce((sum, entry) => sum + entry.amountCents, 0);
