import type { Cents } from "#app/domain/money.ts";
import { parseMoney } from "#app/domain/money.ts";
import { remainingCents } from "#app/domain/payments/rules.ts";
import type { ChargeAmounts, ChargeStatus } from "#app/domain/payments/rules.ts";
import { DAY_MS, dayNumberOf, parseDay } from "#app/domain/time.ts";
import type { DayNumber, Instant } from "#app/domain/time.ts";
import { statementChoicesSchema } from "#app/domain/billing/schema.ts";
import type {
  StatementSide,
  TransactionFilter,
  TransactionState,
} from "#app/domain/billing/schema.ts";

const STATES: Record<ChargeStatus, TransactionState> = {
  created: "waiting",
  awaiting_payment: "waiting",
  requires_action: "waiting",
  processing: "waiting",
  succeeded: "paid",
  dispute_won: "paid",
  partially_refunded: "returned",
  refunded: "returned",
  disputed: "disputed",
  dispute_lost: "lost",
  failed: "unpaid",
  expired: "unpaid",
  canceled: "unpaid",
};

/** Returns the status of a charge as the statement filters it. */
export const transactionStateOf = (status: ChargeStatus): TransactionState => STATES[status];

/** Returns the charge statuses that a statement shows as `state`. */
export function chargeStatusesOf(state: TransactionState): ChargeStatus[] {
  return (Object.keys(STATES) as ChargeStatus[]).filter((status) => STATES[status] === state);
}

export type ParsedStatementFilter = {
  face: StatementSide | null;
  filter: TransactionFilter;
  /** Messages beside the fields that could not be parsed. Those filters are ignored. */
  errors: Record<string, string>;
  /** The field values as they were typed. */
  values: Record<string, string>;
};

const FIELDS = [
  "from",
  "until",
  "state",
  "method",
  "kind",
  "person",
  "subscription",
  "plan",
  "link",
  "item",
  "refunds",
];
const USERNAME = /^[a-z0-9._-]{1,256}$/;
const ID = /^[\w-]{1,64}$/;

/**
 * Parses the filter of a statement from its URL. An invalid day, or an end before its start, gets a
 * message beside its field.
 */
export function parseStatementFilter(search: URLSearchParams): ParsedStatementFilter {
  const text = (name: string): string => search.get(name)?.trim() ?? "";
  const { face, ...choices } = statementChoicesSchema.parse({
    face: text("face"),
    state: text("state"),
    method: text("method"),
    kind: text("kind"),
    refunds: text("refunds"),
  });
  const values = Object.fromEntries(FIELDS.map((name) => [name, text(name)]));
  const { from, until, errors } = parseDayRange({ from: text("from"), until: text("until") });
  const person = text("person").replace(/^@/, "").toLowerCase();
  if (person && !USERNAME.test(person))
    errors.person = "Escreva o nome de usuário, como @ana.lira.";
  const filter = {
    ...choices,
    from,
    until,
    person: person && !errors.person ? person : null,
    subscription: ID.test(text("subscription")) ? text("subscription") : null,
    plan: ID.test(text("plan")) ? text("plan") : null,
    link: ID.test(text("link")) ? text("link") : null,
    item: ID.test(text("item")) ? text("item") : null,
  };
  return { face, filter, errors, values };
}

/**
 * Parses a range of days, both inclusive. An invalid day, or an end before its start, gets a
 * message beside its field and is ignored.
 */
export function parseDayRange(typed: { from: string; until: string }): {
  from: DayNumber | null;
  until: DayNumber | null;
  errors: Record<string, string>;
} {
  const [from, until] = [parseDay(typed.from), parseDay(typed.until)];
  const errors: Record<string, string> = {};
  if (typed.from && from === null) errors.from = "Escreva o dia assim: 20/12/2026.";
  if (typed.until && until === null) errors.until = "Escreva o dia assim: 20/12/2026.";
  if (from !== null && until !== null && until < from)
    errors.until = "O fim vem antes do começo. Troque um dos dias.";
  return { from, until: errors.until ? null : until, errors };
}

/** Whether any filter is set. */
export const isStatementFiltered = (filter: TransactionFilter): boolean =>
  Object.values(filter).some((asked) => asked !== null);

/**
 * Totals of the filtered payments, in centavos. Fee and net are what is left after refunds and
 * disputes.
 */
export type StatementTotals = {
  count: number;
  amountCents: Cents;
  refundedCents: Cents;
  disputedCents: Cents;
  feeCents: Cents;
  netCents: Cents;
};

export type CountedPayment = ChargeAmounts & { netCents: Cents };

/**
 * Returns the fee left to the platform and the net left to the seller. Excludes disputed and lost
 * funds.
 */
export function remainingFeeAndNet(charge: CountedPayment): { feeCents: Cents; netCents: Cents } {
  const feeCents = charge.feeCents - charge.refundedFeeCents - charge.disputedFeeCents;
  return { feeCents, netCents: remainingCents(charge) - feeCents };
}

/** Parses a typed amount into centavos, from one centavo to `mostCents`. Otherwise returns why not. */
export function parseRefundAmount(
  text: string,
  mostCents: Cents,
): { cents: Cents } | { problem: string } {
  const cents = parseMoney(text);
  if (cents === null || cents === 0) return { problem: "Escreva o valor assim: 19,90." };
  return cents > mostCents ? { problem: "É mais do que resta desta cobrança." } : { cents };
}

/** Returns the usual periods of a statement, as days. `null` at both ends is always. */
export function statementPeriods(
  now: Instant,
): { name: string; from: DayNumber | null; until: DayNumber | null }[] {
  const today = new Date(dayNumberOf(now) * DAY_MS);
  const [year, month] = [today.getUTCFullYear(), today.getUTCMonth()];
  const first = (monthIndex: number, ofYear = year): DayNumber =>
    Date.UTC(ofYear, monthIndex, 1) / DAY_MS;
  return [
    { name: "Desde sempre", from: null, until: null },
    { name: "Este mês", from: first(month), until: first(month + 1) - 1 },
    { name: "Mês passado", from: first(month - 1), until: first(month) - 1 },
    { name: "Este ano", from: first(0), until: first(0, year + 1) - 1 },
  ];
}
