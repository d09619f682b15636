import { and, eq, isNull } from "drizzle-orm";
import type { BatchWrite } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { UNSCHEDULED_RELEASE_AT } from "#app/domain/payments/releases/rules/unscheduled-release.ts";
import type { Instant } from "#app/domain/time.ts";
import { chargeReleases } from "#drizzle/schema/payments.ts";

/**
 * Builds the statement that keeps a charge's net pending until `scheduleReleaseStatement` gives a
 * date. It stays pending past a won dispute too, since the purchase has not started.
 */
export function holdReleaseStatement(ctx: Context, charge: { chargeId: string }): BatchWrite {
  return partsStatement(ctx, charge, {
    beginsAt: UNSCHEDULED_RELEASE_AT,
    releaseAt: UNSCHEDULED_RELEASE_AT,
  });
}

/**
 * Builds the statement that releases a held net at `at`. It matches nothing once the net was
 * released.
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
