import type { Cents } from "#app/domain/money.ts";
import { parseMoney } from "#app/domain/money.ts";
import type { ChargeStatus } from "#app/domain/payments/rules.ts";
import { DAY_MS, HOUR_MS } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";
import { choicesSchema } from "#app/domain/billing/schema.ts";
import type { Face, TransactionFilter, TransactionState } from "#app/domain/billing/schema.ts";

/**
 * São Paulo is three hours behind UTC, without daylight saving since 2019 (Decreto 9.772/2019). The triggers that keep the totals count
 * days by the same number, so that a statement and its totals never disagree.
 */
const BEHIND_UTC_MS = 3 * HOUR_MS;

/** The day of a statement in which `at` is: whole days since 1970, in São Paulo. */
export const dayOf = (at: Instant): number => Math.floor((at - BEHIND_UTC_MS) / DAY_MS);

/** The first instant of a day of a statement. */
export const startOfDay = (day: number): Instant => day * DAY_MS + BEHIND_UTC_MS;

const ISO_DAY = /^(\d{4})-(\d{2})-(\d{2})$/;
const BRAZILIAN_DAY = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/;

/** The day that a date field sends (`2026-12-20`) or a person types where there is none (`20/12/2026`); null when it is no day. */
export function parseDay(text: string): number | null {
  const iso = ISO_DAY.exec(text.trim());
  const typed = BRAZILIAN_DAY.exec(text.trim());
  const [year, month, date] = iso ? [iso[1], iso[2], iso[3]] : [typed?.[3], typed?.[2], typed?.[1]];
  const at = Date.UTC(Number(year), Number(month) - 1, Number(date));
  const isThatDay = new Date(at).getUTCDate() === Number(date) && new Date(at).getUTCMonth() === Number(month) - 1;
  return isThatDay ? at / DAY_MS : null;
}

/** `2026-12-20`, as a date field takes it. */
export const isoDay = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10);

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

/** How a charge stands, as a statement is filtered. */
export const stateOf = (status: ChargeStatus): TransactionState => STATES[status];

/** The states of a charge that a statement calls `state`. */
export function statusesOf(state: TransactionState): ChargeStatus[] {
  return (Object.keys(STATES) as ChargeStatus[]).filter((status) => STATES[status] === state);
}

export type AskedFilter = {
  face: Face | null;
  filter: TransactionFilter;
  /** Sentences beside the fields that could not be read; those filters are left out. */
  errors: Record<string, string>;
  /** The fields as they were typed. */
  values: Record<string, string>;
};

const FIELDS = ["from", "until", "state", "method", "kind", "person"];
const USERNAME = /^[a-z0-9._-]{1,256}$/;

/** What the address of a statement asks for. A day that is none, or an end before its beginning, is said beside its field. */
export function askedFilter(search: URLSearchParams): AskedFilter {
  const text = (name: string): string => search.get(name)?.trim() ?? "";
  const { face, ...choices } = choicesSchema.parse({ face: text("face"), state: text("state"), method: text("method"), kind: text("kind") });
  const values = Object.fromEntries(FIELDS.map((name) => [name, text(name)]));
  const [from, until] = [parseDay(text("from")), parseDay(text("until"))];
  const person = text("person").replace(/^@/, "").toLowerCase();
  const errors: Record<string, string> = {};
  if (text("from") && from === null) errors.from = "Escreva o dia assim: 20/12/2026.";
  if (text("until") && until === null) errors.until = "Escreva o dia assim: 20/12/2026.";
  if (from !== null && until !== null && until < from) errors.until = "O fim vem antes do começo. Troque um dos dias.";
  if (person && !USERNAME.test(person)) errors.person = "Escreva o nome de usuário, como @ana.lira.";
  const filter = {
    ...choices,
    from: errors.from ? null : from,
    until: errors.until ? null : until,
    person: person && !errors.person ? person : null,
  };
  return { face, filter, errors, values };
}

/** Whether anything is left out. */
export const isFiltered = (filter: TransactionFilter): boolean => Object.values(filter).some((asked) => asked !== null);

/** Sums of the payments that a filter asks for, in centavos. Fee and net are what is left of them after refunds and disputes. */
export type Totals = { count: number; amountCents: Cents; refundedCents: Cents; disputedCents: Cents; feeCents: Cents; netCents: Cents };

export type Counted = { amountCents: Cents; feeCents: Cents; netCents: Cents; refundedCents: Cents; refundedFeeCents: Cents; disputedCents: Cents };

/** The fee that is left to the platform, and the net that is left to who sold: nothing of what is being fought over or was lost. */
export function leftOf(charge: Counted): { feeCents: Cents; netCents: Cents } {
  if (charge.disputedCents > 0) return { feeCents: 0, netCents: 0 };
  return { feeCents: charge.feeCents - charge.refundedFeeCents, netCents: charge.netCents - (charge.refundedCents - charge.refundedFeeCents) };
}

/** Centavos from a typed amount between one centavo and `mostCents`, or why not. */
export function parseAmount(text: string, mostCents: Cents): { cents: Cents } | { problem: string } {
  const cents = parseMoney(text);
  if (cents === null || cents === 0) return { problem: "Escreva o valor assim: 19,90." };
  return cents > mostCents ? { problem: "É mais do que resta desta cobrança." } : { cents };
}

/** The periods that one asks for most, as days; `null` at both ends is always. */
export function periodsAt(now: Instant): { name: string; from: number | null; until: number | null }[] {
  const today = new Date(dayOf(now) * DAY_MS);
  const [year, month] = [today.getUTCFullYear(), today.getUTCMonth()];
  const first = (monthIndex: number, ofYear = year): number => Date.UTC(ofYear, monthIndex, 1) / DAY_MS;
  return [
    { name: "Desde sempre", from: null, until: null },
    { name: "Este mês", from: first(month), until: first(month + 1) - 1 },
    { name: "Mês passado", from: first(month - 1), until: first(month) - 1 },
    { name: "Este ano", from: first(0), until: first(0, year + 1) - 1 },
  ];
}
