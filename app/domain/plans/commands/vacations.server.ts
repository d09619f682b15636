import { and, eq, gt, isNull, sql } from "drizzle-orm";
import { commit, mustChangeOne } from "#app/db/client.server.ts";
import { StaleWrite, UniqueViolation } from "#app/db/errors.ts";
import type { Context } from "#app/domain/context.ts";
import {
  VacationAlreadyRunning,
  VacationNotRunning,
  NothingToPauseForVacation,
  VacationTooSoon,
} from "#app/domain/plans/errors/vacations.ts";
import { loadPlanActivationInput } from "#app/domain/plans/queries.server.ts";
import { lastVacation, openVacation } from "#app/domain/plans/queries/vacations.server.ts";
import type { VacationProgress } from "#app/domain/plans/queries/vacations.server.ts";
import {
  vacationEndsAt,
  vacationUntil,
  daysUntilNextVacation,
  vacationEndFrom,
} from "#app/domain/plans/rules/vacations.ts";
import type { Instant } from "#app/domain/time.ts";
import { vacations } from "#drizzle/schema/plans.ts";

/** The creator of the vacation, and the team member who acts; null when the creator acts. */
type VacationActor = { creatorId: string; actedBy?: string | null };

/**
 * Starts a vacation of `days` whole days. Nothing is sold or charged until it is over, and the
 * renewals worker moves every subscriber by as much. Refuses NothingToPauseForVacation,
 * VacationAlreadyRunning and VacationTooSoon. Source: domain rules, "Subscriptions";
 * docs/decisions/money/keep-paid-periods-as-rows-that-move.md.
 */
export async function startVacation(
  ctx: Context,
  { creatorId, days, actedBy = null }: VacationActor & { days: number },
): Promise<{ vacationId: string; endsAt: Instant }> {
  if (!(await loadPlanActivationInput(ctx, { creatorId })).isCreator)
    throw new NothingToPauseForVacation();
  if (await openVacation(ctx, { creatorId })) throw new VacationAlreadyRunning();
  const last = await lastVacation(ctx, { creatorId });
  const waitDays = last ? daysUntilNextVacation(last, ctx.now()) : 0;
  if (waitDays > 0) throw new VacationTooSoon(waitDays);
  // Read last: subscriptions that started before this moment are moved, and the database lets none
  // start after it.
  const now = ctx.now();
  const [vacationId, endsAt] = [ctx.newId(), vacationEndFrom(now, days)];
  try {
    await commit(ctx.db, [
      ctx.db
        .insert(vacations)
        .values({ id: vacationId, creatorId, startsAt: now, endsAt, actedBy, createdAt: now }),
    ]);
  } catch (error) {
    throw error instanceof UniqueViolation ? new VacationAlreadyRunning() : error;
  }
  await ctx.queues.renewals.send({ version: 1, type: "vacation.sweep", id: vacationId });
  return { vacationId, endsAt };
}

/**
 * Ends a vacation early ("Voltar agora"). Sales and charges resume, and everybody is moved back by
 * the days not taken. Refuses VacationNotRunning.
 */
export async function returnFromVacation(
  ctx: Context,
  { creatorId, actedBy = null }: VacationActor,
): Promise<void> {
  const now = ctx.now();
  const vacation = await openVacation(ctx, { creatorId });
  if (!vacation || vacationUntil(vacation, now) === null) throw new VacationNotRunning();
  try {
    await commit(ctx.db, [
      mustChangeOne(
        ctx.db
          .update(vacations)
          .set({ returnedAt: now, sweptTo: "", sweptAt: null, actedBy })
          .where(
            and(
              eq(vacations.id, vacation.id),
              isNull(vacations.returnedAt),
              isNull(vacations.overAt),
              gt(vacations.endsAt, now),
            ),
          ),
      ),
    ]);
  } catch (error) {
    throw error instanceof StaleWrite ? new VacationNotRunning() : error;
  }
  await ctx.queues.renewals.send({ version: 1, type: "vacation.sweep", id: vacation.id });
}

/**
 * Records that every fan up to `to` was moved, or, with null, that all were. Also closes a vacation
 * whose end passed. Throws StaleWrite when another run was faster.
 */
export async function recordShiftProgress(
  ctx: Context,
  { id, sweptTo, sweptAt, returnedAt, endsAt }: VacationProgress,
  { to }: { to: string | null },
): Promise<void> {
  const now = ctx.now();
  const isOver = to === null && vacationEndsAt({ returnedAt, endsAt }) <= now;
  await commit(ctx.db, [
    mustChangeOne(
      ctx.db
        .update(vacations)
        .set({
          sweptTo: to ?? sweptTo,
          ...(to === null ? { sweptAt: sweptAt ?? now } : {}),
          ...(isOver ? { overAt: now } : {}),
        })
        .where(
          and(
            eq(vacations.id, id),
            eq(vacations.sweptTo, sweptTo),
            isNull(vacations.overAt),
            sql`${vacations.returnedAt} IS ${returnedAt}`,
          ),
        ),
    ),
  ]);
}
