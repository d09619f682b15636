import { and, gt, inArray, lte, min, eq, isNotNull } from "drizzle-orm";
import { z } from "zod";
import {
  addDays,
  addMonths,
  civilDate,
  instantOf,
  HOUR_MS,
  MINUTE_MS,
  SECOND_MS,
} from "#app/domain/time.ts";
import { productNow, rememberOffset } from "./clock.ts";
import { tick } from "./due.ts";
import { earliest, nextProductDue, pendingMessagesCount, pendingWorkCount } from "./product.ts";
import { openPsp, settingStatement } from "./psp.ts";
import type { Psp } from "./psp.ts";
import { PspRefusal } from "./refusal.ts";
import { charges, instructions, recurringPix, transfers } from "./tables.ts";

export const clockRequest = z
  .object({
    advance: z.string().max(40).optional(),
    to: z.iso.datetime({ offset: true }).optional(),
    reset: z.preprocess((value) => value === true || value === "true", z.boolean()).default(false),
    run: z
      .preprocess((value) => !(value === false || value === "false"), z.boolean())
      .default(true),
  })
  .refine(
    (input) => input.reset || Boolean(input.advance) !== Boolean(input.to),
    "advance, to or reset",
  );

const MAX_STOPS = 500;
const DRAIN_POLL_MS = 20;
const DRAIN_LIMIT_MS = 2_000;
const MESSAGES_POLL_MS = 250;
const MESSAGES_LIMIT_MS = 5_000;

/** The cron expression passed to a job; workers with several schedules run everything that is due. */
const CLOCK_CRON = "* * * * *";

const DURATION =
  /^P(?!$)(?:(\d+)Y)?(?:(\d+)M)?(?:(\d+)W)?(?:(\d+)D)?(?:T(?=\d)(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/;

/** Adds an ISO 8601 duration to `from`, on the São Paulo calendar; null if it is invalid. */
export function advanced(from: number, duration: string): number | null {
  const match = DURATION.exec(duration.trim().toUpperCase());
  if (!match) return null;
  const [years = 0, months = 0, weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = match
    .slice(1)
    .map((part) => Number(part ?? 0));
  const moved = addDays(addMonths(from, years * 12 + months), weeks * 7 + days);
  return moved + hours * HOUR_MS + minutes * MINUTE_MS + seconds * SECOND_MS;
}

export type ClockAnswer = { now: string; now_ms: number; offset_ms: number; stops: number };

export function clockAnswer(nowMs: number, realNowMs: number, stops: number): ClockAnswer {
  return { now: new Date(nowMs).toISOString(), now_ms: nowMs, offset_ms: nowMs - realNowMs, stops };
}

/**
 * Moves the product's time forward from one due item to the next. At each stop every cron runs
 * once, and the queues have time to drain. With `run: false` or `reset` the time is only set.
 */
export async function moveClock(
  psp: Psp,
  input: z.infer<typeof clockRequest>,
): Promise<ClockAnswer> {
  if (input.reset) {
    await setOffset(psp, 0);
    return clockAnswer(psp.realNow(), psp.realNow(), 0);
  }
  const target = targetOf(psp, input);
  if (!input.run) {
    await setClock(psp, target);
    return clockAnswer(target, psp.realNow(), 0);
  }
  if (target < psp.now())
    throw new PspRefusal(
      422,
      "clock_backwards",
      "Time runs forward; use reset, or run: false, to set it back.",
    );
  let at = psp.now();
  let stops = 0;
  let stuckWork = 0;
  while (at < target) {
    at = stops < MAX_STOPS - 1 ? await nextStop(psp, at, target) : target;
    await setClock(psp, Math.max(at, await productNow(psp.env.PSP_DB)));
    await runJobs(psp);
    stuckWork = await drain(psp, at, stuckWork);
    stops += 1;
  }
  await notifyPeople(psp);
  return clockAnswer(await productNow(psp.env.PSP_DB), psp.realNow(), stops);
}

function targetOf(psp: Psp, input: z.infer<typeof clockRequest>): number {
  if (input.to) return Date.parse(input.to);
  const target = advanced(psp.now(), input.advance ?? "");
  if (target === null)
    throw new PspRefusal(
      422,
      "duration_invalid",
      "advance is an ISO 8601 duration, such as P30D or PT1H.",
    );
  return target;
}

async function setClock(psp: Psp, at: number): Promise<void> {
  await setOffset(psp, at - psp.realNow());
}

async function setOffset(psp: Psp, offsetMs: number): Promise<void> {
  await psp.db.batch([settingStatement(psp.db, "clock_offset_ms", String(offsetMs))]);
  rememberOffset(offsetMs);
}

/**
 * Finds the next due item, rounded to the minute like crons. Midnight in São Paulo and the target
 * are always stops.
 */
async function nextStop(psp: Psp, at: number, target: number): Promise<number> {
  const midnight = instantOf(civilDate(addDays(at, 1)));
  const limit = Math.min(midnight, target);
  const due = earliest([
    await nextProviderDue(psp, at, limit),
    psp.env.PRODUCT_DB ? await nextProductDue(psp.env.PRODUCT_DB, at, limit) : null,
  ]);
  return due === null ? limit : Math.min(Math.ceil(due / MINUTE_MS) * MINUTE_MS, limit);
}

async function nextProviderDue(psp: Psp, after: number, until: number): Promise<number | null> {
  const rows = await psp.db.batch([
    psp.db
      .select({ at: min(charges.expiresAt) })
      .from(charges)
      .where(
        and(
          inArray(charges.status, ["awaiting_payment", "requires_action"]),
          gt(charges.expiresAt, after),
          lte(charges.expiresAt, until),
        ),
      ),
    psp.db
      .select({ at: min(transfers.settlesAt) })
      .from(transfers)
      .where(
        and(
          eq(transfers.status, "processing"),
          gt(transfers.settlesAt, after),
          lte(transfers.settlesAt, until),
        ),
      ),
    psp.db
      .select({ at: min(transfers.returnsAt) })
      .from(transfers)
      .where(
        and(
          isNotNull(transfers.returnsAt),
          gt(transfers.returnsAt, after),
          lte(transfers.returnsAt, until),
        ),
      ),
    psp.db
      .select({ at: min(recurringPix.expiresAt) })
      .from(recurringPix)
      .where(
        and(
          eq(recurringPix.status, "created"),
          gt(recurringPix.expiresAt, after),
          lte(recurringPix.expiresAt, until),
        ),
      ),
    psp.db
      .select({ at: min(instructions.dueAt) })
      .from(instructions)
      .where(
        and(
          eq(instructions.status, "scheduled"),
          gt(instructions.dueAt, after),
          lte(instructions.dueAt, until),
        ),
      ),
  ]);
  return earliest(rows.map(([row]) => row?.at ?? null));
}

/** Runs the crons in the order of the work: billing, payouts, fees, notifications. */
async function runJobs(psp: Psp): Promise<void> {
  const { RENEWALS_JOBS, PAYOUTS_JOBS, FEES_JOBS, NOTIFICATIONS_JOBS } = psp.env;
  await tick(await openPsp(psp.env, { waitUntil: psp.later }));
  for (const job of [RENEWALS_JOBS, PAYOUTS_JOBS, FEES_JOBS, NOTIFICATIONS_JOBS])
    await job?.run(CLOCK_CRON);
}

/**
 * Waits until the queues have finished what this stop made due. Does not wait again for work left
 * from an earlier stop (`stuckWork`). Returns how much is left.
 */
async function drain(psp: Psp, at: number, stuckWork: number): Promise<number> {
  const { PRODUCT_DB } = psp.env;
  const deadline = psp.realNow() + DRAIN_LIMIT_MS;
  for (;;) {
    await tick(await openPsp(psp.env, { waitUntil: psp.later }));
    const left = PRODUCT_DB ? await pendingWorkCount(PRODUCT_DB, at) : 0;
    if (left <= stuckWork || psp.realNow() >= deadline) return left;
    await scheduler.wait(DRAIN_POLL_MS);
  }
}

/**
 * Sends emails and notifications. They cause no other changes, so it waits for them once, at the
 * end.
 */
async function notifyPeople(psp: Psp): Promise<void> {
  const { PRODUCT_DB, NOTIFICATIONS_JOBS } = psp.env;
  const deadline = psp.realNow() + MESSAGES_LIMIT_MS;
  if (!PRODUCT_DB || !NOTIFICATIONS_JOBS) return;
  while ((await pendingMessagesCount(PRODUCT_DB)) > 0 && psp.realNow() < deadline) {
    await scheduler.wait(MESSAGES_POLL_MS);
    await NOTIFICATIONS_JOBS.run(CLOCK_CRON);
  }
}
