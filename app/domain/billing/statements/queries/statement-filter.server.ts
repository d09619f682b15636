import { and, eq, inArray, isNotNull, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import { NO_PART } from "#app/domain/billing/schema.ts";
import type { StatementSide, TransactionFilter } from "#app/domain/billing/schema.ts";
import { chargeStatusesOf } from "#app/domain/billing/statements/rules/statement.ts";
import { startOfDay } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";
import { charges } from "#drizzle/schema/payments.ts";

/** Must match the text of the index `charges_paid_by` exactly. */
const whenPaidOrTried = sql<Instant>`case when charges.succeeded_at is null then charges.created_at else charges.succeeded_at end`;
/** Must match the text of the index `charges_received_as` exactly. */
const receivedState = sql`case charges.status when 'succeeded' then 'paid' when 'dispute_won' then 'paid' when 'disputed' then 'disputed' when 'dispute_lost' then 'lost' else 'returned' end`;

/** When a row of the statement happened. */
export const atOf = (face: StatementSide) =>
  face === "paid" ? whenPaidOrTried : sql<Instant>`${charges.succeededAt}`;

/** Selects the days of a filter. */
export const within = (at: SQL, { from, until }: TransactionFilter) =>
  and(
    from === null ? undefined : sql`${at} >= ${startOfDay(from)}`,
    until === null ? undefined : sql`${at} < ${startOfDay(until + 1)}`,
  );

const personCalled = (username: string): SQL =>
  sql`(SELECT called.person_id FROM profiles called WHERE called.username = ${username})`;

/** A creator's payment of their own debt is not a sale. */
export const isSale = sql`+${charges.purchaseKind} <> 'debt'`;

/** Selects what a person paid. One person pays rarely enough for one index and a scan of the rest. */
export function paidBy(
  personId: string,
  { state, method, kind, person, subscription }: TransactionFilter,
) {
  return and(
    eq(charges.payerId, personId),
    isSale,
    state === null ? undefined : inArray(charges.status, chargeStatusesOf(state)),
    method === null ? undefined : eq(charges.method, method),
    kind === null ? undefined : eq(charges.purchaseKind, kind),
    person === null ? undefined : sql`${charges.creatorId} = ${personCalled(person)}`,
    subscription === null
      ? undefined
      : and(
          inArray(charges.purchaseKind, ["subscription", "plan_change"]),
          eq(charges.purchaseId, subscription),
        ),
  );
}

/**
 * Selects what a seller received, which may be a million rows. The most selective filter uses its
 * index in order. The `+` keeps the other indexes out.
 */
export function receivedBy(personId: string, filter: TransactionFilter) {
  const { state, method, kind, person, plan, link, item, refunds } = filter;
  const first = narrowestOf(filter);
  const asks = (name: typeof first, column: SQL, value: SQL | string) =>
    value === NO_PART
      ? sql`${first === name ? column : sql`+${column}`} IS NULL`
      : first === name
        ? sql`${column} = ${value}`
        : sql`+${column} = ${value}`;
  return and(
    eq(charges.creatorId, personId),
    isSale,
    isNotNull(charges.succeededAt),
    person === null ? undefined : asks("person", sql`${charges.payerId}`, personCalled(person)),
    state === null ? undefined : asks("state", sql`(${receivedState})`, state),
    kind === null ? undefined : asks("kind", sql`${charges.purchaseKind}`, kind),
    method === null ? undefined : asks("method", sql`${charges.method}`, method),
    plan === null ? undefined : asks("plan", sql`${charges.planId}`, plan),
    link === null ? undefined : asks("link", sql`${charges.linkSlug}`, link),
    item === null ? undefined : asks("item", sql`${charges.itemId}`, item),
    refunds === null
      ? undefined
      : sql`${first === "refunds" ? sql`` : sql`+`}${charges.refundedCents} + ${charges.disputedCents} > 0`,
  );
}

/**
 * Picks the most selective filter. Most received charges are paid, by subscription and with Pix, so
 * any other value selects fewer rows.
 */
function narrowestOf({
  state,
  method,
  kind,
  person,
  plan,
  link,
  item,
  refunds,
}: TransactionFilter): Exclude<keyof TransactionFilter, "from" | "until" | "subscription"> | null {
  if (person !== null) return "person";
  if (item !== null) return "item";
  if (refunds !== null) return "refunds";
  if (link !== null && link !== NO_PART) return "link";
  if (plan !== null) return "plan";
  if (link !== null) return "link";
  if (state !== null && state !== "paid") return "state";
  if (kind !== null && kind !== "subscription") return "kind";
  if (method !== null) return "method";
  if (state !== null) return "state";
  return kind === null ? null : "kind";
}
