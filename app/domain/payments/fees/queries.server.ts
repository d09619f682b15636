import { asc, desc, eq, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import type { BasisPoints, Cents } from "#app/domain/money.ts";
import { truncateList } from "#app/domain/page.ts";
import { feeAt } from "./rules.ts";
import type { FeeChange } from "./rules.ts";
import { feeOverrides } from "#drizzle/schema/payments.ts";
import { profiles } from "#drizzle/schema/profiles.ts";

/**
 * Returns `feeAt` and `splitFee` as SQL, for the statement that inserts a charge. The fee is the
 * one in force at that moment.
 */
export function chargeFeeSql(
  ctx: Context,
  { creatorId, amountCents }: { creatorId: string; amountCents: Cents },
): { feeBasisPoints: SQL<BasisPoints>; feeCents: SQL<Cents>; netCents: SQL<Cents> } {
  const feeBasisPoints = sql<BasisPoints>`COALESCE((SELECT basis_points FROM ${feeOverrides} WHERE creator_id = ${creatorId} AND starts_at <= ${ctx.now()} ORDER BY starts_at DESC, id DESC LIMIT 1), CAST(${ctx.settings.feeBasisPoints} AS INTEGER))`;
  const feeCents = sql<Cents>`(CAST(${amountCents} AS INTEGER) * ${feeBasisPoints} + 5000) / 10000`;
  return {
    feeBasisPoints,
    feeCents,
    netCents: sql<Cents>`CAST(${amountCents} AS INTEGER) - ${feeCents}`,
  };
}

/** More than the fee changes of any creator. */
const MOST_CHANGES = 200;

/** Statement for a batch: the changes of a creator's fee, oldest first; `feeAt` reads them. */
export function feeChangesStatement(ctx: Context, { creatorId }: { creatorId: string }) {
  return ctx.db
    .select({ basisPoints: feeOverrides.basisPoints, startsAt: feeOverrides.startsAt })
    .from(feeOverrides)
    .where(eq(feeOverrides.creatorId, creatorId))
    .orderBy(asc(feeOverrides.startsAt), asc(feeOverrides.id))
    .limit(MOST_CHANGES);
}

/** Returns the platform's fee of a creator's sale now, in basis points. */
export async function creatorFee(
  ctx: Context,
  { creatorId }: { creatorId: string },
): Promise<BasisPoints> {
  return currentFee(ctx, await feeChangesStatement(ctx, { creatorId }));
}

/** Returns the fee in force now, from the rows of `feeChangesStatement`. */
export const currentFee = (ctx: Context, changes: readonly FeeChange[]): BasisPoints =>
  feeAt(changes, ctx.settings.feeBasisPoints, ctx.now());

const LISTED = 200;

/** Lists the newest fee changes of all creators, newest first. */
export async function recentFeeChanges(ctx: Context) {
  const rows = await ctx.db
    .select({
      id: feeOverrides.id,
      basisPoints: feeOverrides.basisPoints,
      startsAt: feeOverrides.startsAt,
      note: feeOverrides.note,
      createdAt: feeOverrides.createdAt,
      name: profiles.name,
      username: profiles.username,
      setByName: sql<
        string | null
      >`(SELECT p.name FROM ${profiles} p WHERE p.person_id = ${feeOverrides.setBy})`,
    })
    .from(feeOverrides)
    .leftJoin(profiles, eq(profiles.personId, feeOverrides.creatorId))
    .orderBy(desc(feeOverrides.id))
    .limit(LISTED + 1);
  return truncateList(rows, LISTED);
}
