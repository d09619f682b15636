import { DAY_MS, HOUR_MS, isoDay, MINUTE_MS } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";

/**
 * The invariants that say where money is. While one of them is broken no payout leaves: money that
 * went out does not come back by itself.
 */
const OF_MONEY = new Set([
  "transactions_balance",
  "transactions_posted",
  "balances_cached",
  "balances_floor",
  "books_balance",
  "charges_split",
  "charges_posted",
  "providers_apart",
  "providers_hold",
  "refunds_within_charge",
  "refunds_posted",
  "releases_whole",
  "pending_by_charge",
  "reserved_by_dispute",
  "disputes_summed",
  "payouts_claimed",
  "payouts_known",
  "refund_transfers_known",
  "refunds_go_once",
  "provider_moves_posted",
  "platform_takes_own",
]);

/** Whether a broken invariant holds payouts. Source: issue 6, "Ledger". */
export const isPayoutBlocking = (name: string): boolean => OF_MONEY.has(name);

/** Where people mend what breaks some of them; of the others the books themselves show more. */
const MENDED_AT: Readonly<Record<string, string>> = {
  payouts_approved: "/admin/payouts",
  deliveries_set_aside: "/admin/reconciliation/deliveries",
  providers_agree: "/admin/reconciliation",
  providers_hold: "/admin/reconciliation",
  nights_whole: "/admin/reconciliation",
};

/** The page where people mend what breaks an invariant, or null. */
export const repairPagePath = (name: string): string | null => MENDED_AT[name] ?? null;

/**
 * What breaks an invariant: how many rows there are, and which, as far as they were read
 * (`violationKey`).
 */
export type InvariantViolations = { count: number; keys: readonly string[] };

/** What the staff was last told of an invariant that is broken, and when (wall clock). */
export type ViolationNotice = InvariantViolations & { at: Instant };

/**
 * What a row that breaks an invariant is recognised by the next time: the thing that it is about,
 * not the figures that it shows.
 */
export const violationKey = (row: Record<string, unknown>): string =>
  String(row["id"] ?? row["name"] ?? JSON.stringify(row));

/**
 * Whether the staff is to be told of what breaks an invariant: when it begins to be broken; and of
 * rows of which they were not told yet, at most once a day. INVARIANT: nothing breaks a rule for
 * more than a day without having been told, however long the rule is broken by something else.
 * Source: docs/decisions/money/check-invariants-on-what-changed.md.
 */
export function needsNotice(
  found: InvariantViolations,
  before: { brokenCount: number; told: ViolationNotice | null } | undefined,
  realNow: Instant,
): boolean {
  if (found.count === 0) return false;
  if (!before || before.brokenCount === 0 || before.told === null) return true;
  const { told } = before;
  return (
    realNow - told.at >= DAY_MS &&
    (found.count > told.count || found.keys.some((key) => !told.keys.includes(key)))
  );
}

/**
 * What is still known as told after a look that told nothing: what holds again and breaks once more
 * is news. Of what only moved a look says nothing of the rest, nor one that did not read all rows.
 */
export function retainedNotice(
  told: ViolationNotice | null,
  { count, keys, isWhole }: InvariantViolations & { isWhole: boolean },
): ViolationNotice | null {
  if (told === null || count === 0) return null;
  if (!isWhole || count > keys.length) return told;
  const left = told.keys.filter((key) => keys.includes(key));
  return { ...told, keys: left, count: Math.min(told.count, left.length) };
}

/** Those whose query reads little whatever there is: they are looked at whole each time. */
const LITTLE = new Set([
  "transactions_posted",
  "refunds_answered",
  "providers_configured",
  "providers_agree",
  "providers_hold",
  "nights_whole",
  "refund_transfers_known",
  "refunds_go_once",
  "refund_transfers_answered",
  "payouts_funded",
  "payouts_accepted",
  "keys_told",
  "payouts_approved",
  "provider_moves_posted",
  "platform_takes_own",
  "nothing_waits",
  "deliveries_set_aside",
  "letters_wait",
  "letters_fail",
  "months_sealed",
  "looked_at_whole",
]);

/**
 * Those that each look asks of what moved money since the look before; whole, they read the whole
 * history.
 */
const OF_WHAT_MOVED = new Set([
  "transactions_balance",
  "balances_cached",
  "balances_floor",
  "charges_split",
  "charges_posted",
  "releases_whole",
  "pending_by_charge",
  "reserved_by_dispute",
  "disputes_summed",
  "periods_priced",
  "refunds_within_charge",
  "refunds_posted",
  "payouts_claimed",
  "payouts_known",
  "providers_apart",
  "costs_posted",
  "debts_paid",
  "write_offs_posted",
]);

/** Nights begin when fewest people are here. */
const NIGHT_HOUR_MS = 4 * HOUR_MS;
const night = (at: Instant): string => isoDay(at - NIGHT_HOUR_MS);
/** What was being written when the look before began may carry a moment that is a little older. */
const MARGIN_MS = 10 * MINUTE_MS;

/** How an invariant was found before: `wholeAt` by the wall clock, `seenUntil` by the product's. */
export type CheckHistory = { wholeAt: Instant; seenUntil: Instant; brokenCount: number };

/**
 * What a look asks: everything; what moved since a moment of the product; or nothing, until the
 * night.
 */
export type CheckScope = { kind: "whole" } | { kind: "since"; since: Instant } | { kind: "none" };

/**
 * How much of the books a look at an invariant reads. Everything where that is little, at the first
 * look after four in the morning of São Paulo, and while it is broken, until it holds again;
 * otherwise what moved since the look before, or nothing where only the night looks. `now` is the
 * product's moment, `realNow` the wall clock's: a product whose clock was set back looks at
 * everything. Source: docs/decisions/money/check-invariants-on-what-changed.md.
 */
export function checkScope(
  name: string,
  before: CheckHistory | undefined,
  { now, realNow }: { now: Instant; realNow: Instant },
): CheckScope {
  if (
    !before ||
    LITTLE.has(name) ||
    before.brokenCount > 0 ||
    night(before.wholeAt) !== night(realNow) ||
    before.seenUntil > now
  )
    return { kind: "whole" };
  return OF_WHAT_MOVED.has(name)
    ? { kind: "since", since: before.seenUntil - MARGIN_MS }
    : { kind: "none" };
}

/**
 * What is asked instead where a look at everything fails (it may be too much for the database):
 * what the day asks.
 */
export function fallbackCheckScope(
  name: string,
  before: CheckHistory | undefined,
  now: Instant,
): CheckScope {
  return before && OF_WHAT_MOVED.has(name) && before.seenUntil <= now
    ? { kind: "since", since: before.seenUntil - MARGIN_MS }
    : { kind: "none" };
}

/** What is looked at in between; the others wait for the night. */
export const isCheckedByDay = (name: string): boolean =>
  LITTLE.has(name) || OF_WHAT_MOVED.has(name);

/**
 * Those of `names` of which the last look that asked for them found nothing out: it failed, or
 * never came. By day each look asks all of its own; what waits for the night was to be looked at in
 * it, and with most of the others that do. Moments by the wall clock.
 */
export function missedChecks(
  names: readonly string[],
  checks: ReadonlyMap<string, { checkedAt: Instant; wholeAt: Instant }>,
): ReadonlySet<string> {
  const lastAt = Math.max(...[...checks.values()].map(({ checkedAt }) => checkedAt));
  const nightly = names
    .filter((name) => !isCheckedByDay(name))
    .map((name) => checks.get(name)?.checkedAt ?? 0)
    .toSorted((one, other) => one - other);
  const nightlyAt = nightly[Math.floor(nightly.length / 2)] ?? 0;
  const isMissed = (name: string) => {
    const check = checks.get(name);
    if (!check) return true;
    return isCheckedByDay(name)
      ? check.checkedAt < lastAt
      : check.checkedAt < nightlyAt || night(check.wholeAt) !== night(lastAt);
  };
  return new Set(names.filter(isMissed));
}

/** Those that hold payouts where they are broken. */
export const moneyInvariantNames: readonly string[] = [...OF_MONEY];

/**
 * Those of them that every look of the day asks: where one was not looked at for `STALE_AFTER_MS`,
 * looks fail.
 */
export const dayCheckedInvariantNames: readonly string[] =
  moneyInvariantNames.filter(isCheckedByDay);

/**
 * Looks come every five minutes. What nobody could look at for this long may be broken: it holds
 * payouts as if it were. Source: docs/decisions/money/check-invariants-on-what-changed.md.
 */
const STALE_AFTER_MS = 6 * HOUR_MS;

/** The wall clock's moment before which a look is too old to let money leave. */
export const staleBefore = (realNow: Instant): Instant => realNow - STALE_AFTER_MS;

/**
 * Whether a finding keeps payouts back: a rule of money that is broken, or that nobody looked at
 * for too long. What was never looked at holds nothing.
 */
export const blocksPayouts = (
  check: { name: string; brokenCount: number; holdsPayouts: boolean; checkedAt: Instant },
  realNow: Instant,
): boolean =>
  check.holdsPayouts &&
  (check.brokenCount > 0 ||
    (dayCheckedInvariantNames.includes(check.name) && check.checkedAt < staleBefore(realNow)));
