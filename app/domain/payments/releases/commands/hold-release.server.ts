import { and, eq, isNull } from "drizzle-orm";
import type { BatchWrite } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { UNSCHEDULED_RELEASE_AT } from "#app/domain/payments/releases/rules/unscheduled-release.ts";
import type { Instant } from "#app/domain/time.ts";
import { chargeReleases } from "#drizzle/schema/payments.ts";

/**
 * The statement by which the net of a charge stays pending until `scheduleReleaseStatement` says
 * from when, also past a dispute that is won: what it pays for did not begin.
 */
export function holdReleaseStatement(ctx: Context, charge: { chargeId: string }): BatchWrite {
  return partsStatement(ctx, charge, {
    beginsAt: UNSCHEDULED_RELEASE_AT,
    releaseAt: UNSCHEDULED_RELEASE_AT,
  });
}

/**
 * The statement by which the net of a charge that was held back leaves pending at `at`; it matches
 * nothing once it left.
 */
export function scheduleReleaseStatement(
  ctx: Context,
  { at, ...charge }: { chargeId: string; at: Instant },
): BatchWrite {
  return partsStatement(ctx, charge, { beginsAt: null, releaseAt: at });
}

function partsStatement(
  ctx: Context,
  { chargeId }: { chargeId: string },
  dates: { beginsAt: Instant | null; releaseAt: Instant },
): BatchWrite {
  return ctx.db
    .update(chargeReleases)
    .set(dates)
    .where(and(eq(chargeReleases.chargeId, chargeId), isNull(chargeReleases.releasedAt)));
}
