import { and, eq, isNull, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import type { BatchWrite } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { RENEWAL_HOLD_MS } from "#app/domain/payments/releases/rules/release-time.ts";
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

/**
 * Builds the statement that holds the net of some charges (a query of their ids) until a day after
 * `beginsAt`, what they pay for having been moved there. Never sooner than it was.
 */
export function delayReleasesStatement(
  ctx: Context,
  { chargeIds, beginsAt }: { chargeIds: SQL; beginsAt: Instant },
): BatchWrite {
  return ctx.db
    .update(chargeReleases)
    .set({
      beginsAt,
      releaseAt: sql`MAX(${chargeReleases.releaseAt}, CAST(${beginsAt + RENEWAL_HOLD_MS} AS INTEGER))`,
    })
    .where(
      and(sql`${chargeReleases.chargeId} IN (${chargeIds})`, isNull(chargeReleases.releasedAt)),
    );
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
