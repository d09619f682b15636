import { PAYER_DIGEST_RETENTION_DAYS } from "#app/domain/payments/refund-transfers/rules.ts";
import { civilDate, DAY_MS, HOUR_MS, isoDay, MINUTE_MS, timeOfDayMs } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";

/** Before people are active, and after the night's transfers. */
const BEGINS_AT_MS = 3 * HOUR_MS;

/** Returns the São Paulo day of the run due at `now`, or null before three in the morning. */
export const runDayAt = (now: Instant): string | null =>
  timeOfDayMs(now) < BEGINS_AT_MS ? null : isoDay(now);

/**
 * The steps of a run, in order. It examines open differences again and compares what the provider
 * lists. Then it asks by id about our unlisted objects. Last, it purges the listings of runs that
 * are no longer shown.
 */
export const reconciliationSteps = [
  "again",
  "charges",
  "refunds",
  "transfers",
  "disputes",
  "authorisations",
  "our_charges",
  "our_refunds",
  "our_transfers",
  "our_authorisations",
  "forget",
] as const;
export type ReconciliationStep = (typeof reconciliationSteps)[number];

/** Returns the next step; `done` after the last one. */
export const stepAfter = (step: ReconciliationStep): ReconciliationStep | "done" =>
  reconciliationSteps[reconciliationSteps.indexOf(step) + 1] ?? "done";

/** How many runs are shown. The objects that their providers listed are stored as long. */
export const RUNS_RETAINED = 6;

type ListedStep = "charges" | "refunds" | "transfers" | "disputes" | "authorisations";

/**
 * How far a run looks back before the previous one.
 *
 * Lists are by the day of creation, and the outcome comes later. Banks answer refunds and return
 * transfers within days, and disputes within months; there are few of them. A living mandate is
 * asked about every day anyway.
 */
const OVERLAPS: Record<ListedStep, number> = {
  charges: 2 * DAY_MS,
  refunds: 10 * DAY_MS,
  transfers: 10 * DAY_MS,
  disputes: 120 * DAY_MS,
  authorisations: 2 * DAY_MS,
};
/** How far the first run of a provider looks back. */
const FIRST_LOOK_MS = 30 * DAY_MS;

/**
 * How far the first run of a month looks back for transfers. A bank may return a Pix for 90 days. A
 * month more covers what no other run saw.
 */
const RETURNED_WITHIN_MS = (PAYER_DIGEST_RETENTION_DAYS + 31) * DAY_MS;

/** Returns from when the list `listed` is read. */
export function listedSince(
  run: { since: Instant | null; startedAt: Instant },
  listed: ListedStep,
): Instant {
  const since = (run.since ?? run.startedAt - FIRST_LOOK_MS) - OVERLAPS[listed];
  const opensMonth =
    run.since !== null && civilDate(run.since).month !== civilDate(run.startedAt).month;
  return listed === "transfers" && opensMonth
    ? Math.min(since, run.startedAt - RETURNED_WITHIN_MS)
    : since;
}

/**
 * How long an unreadable list is retried, by the age of its run. Afterwards the run continues
 * without it.
 */
const LIST_PATIENCE_MS = 6 * HOUR_MS;
export const isListAbandoned = (run: { startedAt: Instant }, now: Instant): boolean =>
  run.startedAt < now - LIST_PATIENCE_MS;

/**
 * This many unanswered questions in a row mean that the provider is unavailable, whatever was
 * asked. Its run waits.
 */
export const UNAVAILABLE_AFTER = 3;

/**
 * Objects that changed this recently are in flight between us and the provider: the next run
 * compares them.
 */
const IN_FLIGHT_MS = 10 * MINUTE_MS;
export const isInFlight = (movedAt: Instant, now: Instant): boolean => movedAt > now - IN_FLIGHT_MS;
export const settledCutoff = (now: Instant): Instant => now - IN_FLIGHT_MS;

/**
 * Whether the last run of a provider left questions without an answer (`runs` newest first). Then
 * no open difference does not mean that everything matches.
 */
export function hasUnansweredQuestions(
  runs: readonly { provider: string; unclearCount: number }[],
): boolean {
  const last = new Map(runs.toReversed().map((run) => [run.provider, run]));
  return [...last.values()].some(({ unclearCount }) => unclearCount > 0);
}
