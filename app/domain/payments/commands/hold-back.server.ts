import { and, eq, isNull } from "drizzle-orm";
import type { Write } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { HELD_BACK } from "#app/domain/payments/rules/hold-back.ts";
import type { Instant } from "#app/domain/time.ts";
import { chargeReleases } from "#drizzle/schema/payments.ts";

/**
 * The statement by which the net of a charge stays pending until `releasableStatement` says from
 * when, also past a dispute that is won: what it pays for did not begin.
 */
export function heldBackStatement(ctx: Context, charge: { chargeId: string }): Write {
  return partsStatement(ctx, charge, { beginsAt: HELD_BACK, releaseAt: HELD_BACK });
}

/**
 * The statement by which the net of a charge that was held back leaves pending at `at`; it matches
 * nothing once it left.
 */
export function releasableStatement(
  ctx: Context,
  { at, ...charge }: { chargeId: string; at: Instant },
): Write {
  return partsStatement(ctx, charge, { beginsAt: null, releaseAt: at });
}

function partsStatement(
  ctx: Context,
  { chargeId }: { chargeId: string },
  dates: { beginsAt: Instant | null; releaseAt: Instant },
): Write {
  return ctx.db
    .update(chargeReleases)
    .set(dates)
    .where(and(eq(chargeReleases.chargeId, chargeId), isNull(chargeReleases.releasedAt)));
}
