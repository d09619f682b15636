import { DAY_MS, HOUR_MS, isoDay, MINUTE_MS } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";

/**
 * The money invariants. While one is broken no payout leaves: money that left does not return by
 * itself.
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

/** Pages where staff repair the violations of some invariants. The ledger pages show the others. */
const MENDED_AT: Readonly<Record<string, string>> = {
  payouts_approved: "/admin/payouts",
  deliveries_set_aside: "/admin/reconciliation/deliveries",
  providers_agree: "/admin/reconciliation",
  providers_hold: "/admin/reconciliation",
  nights_whole: "/admin/reconciliation",
};

/** Returns the page where staff repair an invariant's violations, or null. */
export const repairPagePath = (name: string): string | null => MENDED_AT[name] ?? null;

/**
 * The violations of an invariant: their count, and the keys of the rows that were read
 * (`violationKey`).
 */
export type InvariantViolations = { count: number; keys: readonly string[] };

/** The last notice to the staff of a broken invariant, and when it was sent (wall clock). */
export type ViolationNotice = InvariantViolations & { at: Instant };

/**
 * Returns the key by which a violation is recognised later: the object, not the figures that it
 * shows.
 */
export const violationKey = (row: Record<string, unknown>): string =>
  String(row["id"] ?? row["name"] ?? JSON.stringify(row));

/**
 * Decides whether staff are notified of an invariant's violations: when it breaks, and at most once
 * a day of violations not yet notified.
 *
 * INVARIANT: no violation lasts more than a day without a notice, however long other rows break the
 * same invariant. Source: docs/decisions/money/check-invariants-on-what-changed.md.
 */
export function needsNotice(
  found: InvariantViolations,
  before: { brokenCount: number; notice: ViolationNotice | null } | undefined,
  realNow: Instant,
): boolean {
  if (found.count === 0) return false;
  if (!before || before.brokenCount === 0 || before.notice === null) return true;
  const { notice } = before;
  return (
    realNow - notice.at >= DAY_MS &&
    (found.count > notice.count || found.keys.some((key) => !notice.keys.includes(key)))
  );
}

/**
 * Returns what remains of the last notice after a check that sent none. A row that is fixed and
 * breaks again needs a new notice.
 *
 * A check of recent changes says nothing of the other rows, nor does one that did not read all
 * rows.
 */
export function retainedNotice(
  notice: ViolationNotice | null,
  { count, keys, isWhole }: InvariantViolations & { isWhole: boolean },
): ViolationNotice | null {
  if (notice === null || count === 0) return null;
  if (!isWhole || count > keys.length) return notice;
  const left = notice.keys.filter((key) => keys.includes(key));
  return { ...notice, keys: left, count: Math.min(notice.count, left.length) };
}

/** Invariants whose query always reads little: they are checked whole each time. */
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
 * Invariants that each check limits to the money that moved since the last one. Whole, they read
 * the entire history.
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

/** The nightly check starts when the fewest people are active. */
const RUN_HOUR_MS = 4 * HOUR_MS;
const runDay = (at: Instant): string => isoDay(at - RUN_HOUR_MS);
/** Rows that were being written when the last check started may have a slightly older time. */
const MARGIN_MS = 10 * MINUTE_MS;

/** The last check of an invariant: `wholeAt` by the wall clock, `seenUntil` by the product's. */
export type CheckHistory = { wholeAt: Instant; seenUntil: Instant; brokenCount: number };

/**
 * What a check reads: everything, what changed since an instant of the product's clock, or nothing
 * until the night.
 */
export type CheckScope = { kind: "whole" } | { kind: "since"; since: Instant } | { kind: "none" };

/**
 * Decides how much of the books a check of an invariant reads.
 *
 * It reads everything if that is little, and while the invariant is broken. So does the first check
 * after four in the morning of São Paulo. Otherwise it reads what changed since the last check, or
 * nothing where only the nightly check applies. `now` is by the product's clock, `realNow` by the
 * wall clock. If the product's clock was set back, it reads everything. Source:
 * docs/decisions/money/check-invariants-on-what-changed.md.
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
    runDay(before.wholeAt) !== runDay(realNow) ||
    before.seenUntil > now
  )
    return { kind: "whole" };
  return OF_WHAT_MOVED.has(name)
    ? { kind: "since", since: before.seenUntil - MARGIN_MS }
    : { kind: "none" };
}

/**
 * Returns the scope to use if a whole check fails, which may be too much for the database: the
 * scope of the day.
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

/** Whether an invariant is checked by day; the others wait for the night. */
export const isCheckedByDay = (name: string): boolean =>
  LITTLE.has(name) || OF_WHAT_MOVED.has(name);

/**
 * Returns those of `names` whose last expected check found nothing out: it failed or never ran.
 *
 * By day each check covers all of its invariants. A nightly invariant is expected to be checked
 * with most of the other nightly ones. Times by the wall clock.
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
      : check.checkedAt < nightlyAt || runDay(check.wholeAt) !== runDay(lastAt);
  };
  return new Set(names.filter(isMissed));
}

/** The invariants that hold payouts while they are broken. */
export const moneyInvariantNames: readonly string[] = [...OF_MONEY];

/**
 * Those of them that every check of the day covers. If one was not checked for `STALE_AFTER_MS`,
 * checks are failing.
 */
export const dayCheckedInvariantNames: readonly string[] =
  moneyInvariantNames.filter(isCheckedByDay);

/**
 * Checks run every five minutes. An invariant unchecked for this long may be broken: it holds
 * payouts as if it were. Source: docs/decisions/money/check-invariants-on-what-changed.md.
 */
const STALE_AFTER_MS = 6 * HOUR_MS;

/** Returns the wall-clock time before which a check is too old to let money leave. */
export const staleBefore = (realNow: Instant): Instant => realNow - STALE_AFTER_MS;

/**
 * Whether a finding blocks payouts: a money invariant that is broken or unchecked for too long. One
 * that was never checked blocks nothing.
 */
export const blocksPayouts = (
  check: { name: string; brokenCount: number; holdsPayouts: boolean; checkedAt: Instant },
  realNow: Instant,
): boolean =>
  check.holdsPayouts &&
  (check.brokenCount > 0 ||
    (dayCheckedInvariantNames.includes(check.name) && check.checkedAt < staleBefore(realNow)));
