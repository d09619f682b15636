import { PAYER_DIGEST_RETENTION_DAYS } from "#app/domain/payments/refund-transfers/rules.ts";
import { civilDate, DAY_MS, HOUR_MS, isoDay, MINUTE_MS, timeOfDayMs } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";

/** Before the town wakes, and after the night's transfers. */
const BEGINS_AT_MS = 3 * HOUR_MS;

/**
 * The night that is to be reconciled at `now`, as its São Paulo day, or null before three in the
 * morning.
 */
export const runDayAt = (now: Instant): string | null =>
  timeOfDayMs(now) < BEGINS_AT_MS ? null : isoDay(now);

/**
 * What a run does, in this order: what was open is asked about again; what the provider lists is
 * compared; what we hold and it did not list is asked about by id; and what nights saw that are no
 * longer shown is forgotten.
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

/** After the last step a run is `done`. */
export const stepAfter = (step: ReconciliationStep): ReconciliationStep | "done" =>
  reconciliationSteps[reconciliationSteps.indexOf(step) + 1] ?? "done";

/** So many runs are shown, and what each was shown by its provider is kept as long. */
export const RUNS_RETAINED = 6;

type ListedStep = "charges" | "refunds" | "transfers" | "disputes" | "authorisations";

/**
 * By how much a run looks back before the one it follows. Lists go by the day on which something
 * was made, and what it comes to is known later: banks answer refunds and give transfers back
 * within days, disputes within months, and there are few of them. A living authorisation is asked
 * about every day anyway.
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
 * A bank may give a Pix back for 90 days. The first run of a month looks at the transfers of as
 * many and of a month more, so that what no other night saw is seen.
 */
const RETURNED_WITHIN_MS = (PAYER_DIGEST_RETENTION_DAYS + 31) * DAY_MS;

/** From when on `listed` is read. */
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
 * A list that cannot be read is asked for again until its run is this old; then the rest of the
 * night goes on without it.
 */
const LIST_PATIENCE_MS = 6 * HOUR_MS;
export const isListAbandoned = (run: { startedAt: Instant }, now: Instant): boolean =>
  run.startedAt < now - LIST_PATIENCE_MS;

/**
 * So many questions unanswered in a row are a provider that is silent, and no matter of what was
 * asked: its run waits.
 */
export const UNAVAILABLE_AFTER = 3;

/** What moved this short ago is on its way between us: the next night looks at it. */
const IN_FLIGHT_MS = 10 * MINUTE_MS;
export const isInFlight = (movedAt: Instant, now: Instant): boolean => movedAt > now - IN_FLIGHT_MS;
export const settledCutoff = (now: Instant): Instant => now - IN_FLIGHT_MS;

/**
 * Whether the last run of a provider left questions without an answer (`runs` newest first): no
 * open difference is then not yet everything right.
 */
export function hasUnansweredQuestions(
  runs: readonly { provider: string; unclearCount: number }[],
): boolean {
  const last = new Map(runs.toReversed().map((run) => [run.provider, run]));
  return [...last.values()].some(({ unclearCount }) => unclearCount > 0);
}
