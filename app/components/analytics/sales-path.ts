import { TRANSACTION_KIND_LABELS } from "#app/components/payments/transaction-labels.ts";
import { paymentMethods } from "#app/domain/payments/methods/rules.ts";
import type { DayRange } from "#app/domain/analytics/ranges/rules.ts";
import { isoOfDayNumber } from "#app/domain/time.ts";

type SalesPart = {
  kind?: string;
  method?: string;
  plan?: string;
  link?: string;
  item?: string;
  refunds?: "any";
};

/** The statement with the entries behind a figure of these days, and of one part of it. */
export function salesPath({ from, until }: DayRange, part: SalesPart = {}): string {
  const query = { face: "received", from: isoOfDayNumber(from), until: isoOfDayNumber(until) };
  return `/settings/transactions?${new URLSearchParams({ ...query, ...part }).toString()}`;
}

/** The statement with all sales of one post, collection, message or event. */
export const itemSalesPath = (item: string): string =>
  `/settings/transactions?${new URLSearchParams({ face: "received", item }).toString()}`;

/** The name of a kind of sale; the word itself for one without a name. */
export const kindText = (kind: string): string =>
  kind in TRANSACTION_KIND_LABELS
    ? TRANSACTION_KIND_LABELS[kind as keyof typeof TRANSACTION_KIND_LABELS]
    : kind;

/** The name of a payment method. */
export const methodText = (method: string): string =>
  method in paymentMethods ? paymentMethods[method as keyof typeof paymentMethods].label : method;
