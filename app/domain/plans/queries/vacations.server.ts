import { and, asc, desc, eq, gt, isNull, or, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import { personIdByKey } from "#app/domain/access/sql.server.ts";
import type { Context } from "#app/domain/context.ts";
import type { Vacation } from "#app/domain/plans/schema/vacations.ts";
import { isRetryDue } from "#app/domain/retry-backoff/queries.server.ts";
import type { Instant } from "#app/domain/time.ts";
import { vacations } from "#drizzle/schema/plans.ts";

/**
 * When a creator's vacation at `now` ends, in SQL; NULL when there is none. The same as
 * `vacationUntil`.
 */
export const vacationUntilSql = (creatorId: SQL, now: Instant): SQL<Instant | null> =>
  sql<Instant | null>`(SELECT away.ends_at FROM vacations away WHERE away.creator_id = ${creatorId} AND away.over_at IS NULL AND away.returned_at IS NULL AND away.ends_at > ${now})`;

/**
 * A creator's vacation that is not over, as JSON text in one column; NULL without one.
 * `parseVacation` reads it.
 */
export const currentVacationSql = (creatorId: SQL): SQL<string | null> =>
  sql<
    string | null
  >`(SELECT json_object('id', rest.id, 'creatorId', rest.creator_id, 'startsAt', rest.starts_at, 'endsAt', rest.ends_at, 'returnedAt', rest.returned_at) FROM vacations rest WHERE rest.creator_id = ${creatorId} AND rest.over_at IS NULL)`;

export const parseVacation = (text: string | null): Vacation | null =>
  text === null ? null : (JSON.parse(text) as Vacation);

const columns = {
  id: vacations.id,
  creatorId: vacations.creatorId,
  startsAt: vacations.startsAt,
  endsAt: vacations.endsAt,
  returnedAt: vacations.returnedAt,
};

/** A creator's vacation that is not over, or null. */
export async function openVacation(
  ctx: Context,
  { creatorId }: { creatorId: string },
): Promise<Vacation | null> {
  const [row] = await ctx.db
    .select(columns)
    .from(vacations)
    .where(and(eq(vacations.creatorId, creatorId), isNull(vacations.overAt)))
    .limit(1);
  return row ?? null;
}

/** A creator's last vacation that is over, or null. */
export async function lastVacation(
  ctx: Context,
  { creatorId }: { creatorId: string },
): Promise<Vacation | null> {
  const [row] = await ctx.db
    .select(columns)
    .from(vacations)
    .where(and(eq(vacations.creatorId, creatorId), sql`${vacations.overAt} IS NOT NULL`))
    .orderBy(desc(vacations.startsAt))
    .limit(1);
  return row ?? null;
}

/**
 * For a batch: when the vacation of the owner of the page `creatorKey` (a username or a person's
 * id) ends; no row without one.
 */
export function vacationStatement(ctx: Context, { creatorKey }: { creatorKey: string }) {
  return ctx.db
    .select({ until: vacations.endsAt })
    .from(vacations)
    .where(
      and(
        eq(vacations.creatorId, personIdByKey(creatorKey)),
        isNull(vacations.overAt),
        isNull(vacations.returnedAt),
        gt(vacations.endsAt, ctx.now()),
      ),
    )
    .limit(1);
}

/** How far the moves of subscribers by a vacation went. */
export type VacationProgress = Vacation & {
  sweptTo: string;
  sweptAt: Instant | null;
  overAt: Instant | null;
};

export async function vacationProgress(
  ctx: Context,
  { vacationId }: { vacationId: string },
): Promise<VacationProgress | null> {
  const [row] = await ctx.db
    .select({
      ...columns,
      sweptTo: vacations.sweptTo,
      sweptAt: vacations.sweptAt,
      overAt: vacations.overAt,
    })
    .from(vacations)
    .where(eq(vacations.id, vacationId))
    .limit(1);
  return row ?? null;
}

/** Vacations with subscribers still to move, or whose last day passed. */
export async function vacationsToApply(
  ctx: Context,
  { now, limit }: { now: Instant; limit: number },
): Promise<string[]> {
  const rows = await ctx.db
    .select({ id: vacations.id })
    .from(vacations)
    .where(
      and(
        sql`over_at IS NULL`,
        or(
          isNull(vacations.sweptAt),
          sql`COALESCE(${vacations.returnedAt}, ${vacations.endsAt}) <= ${now}`,
        ),
        isRetryDue(ctx, vacations.id),
      ),
    )
    .orderBy(asc(vacations.id))
    .limit(limit);
  return rows.map(({ id }) => id);
}
