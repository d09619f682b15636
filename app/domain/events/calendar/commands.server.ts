import { eq } from "drizzle-orm";
import { commit } from "#app/db/client.server.ts";
import { StaleWrite } from "#app/db/errors.ts";
import type { Context } from "#app/domain/context.ts";
import { TooManyCalendars } from "#app/domain/events/errors.ts";
import { rateLimitStatements } from "#app/domain/rate-limits/commands.server.ts";
import type { RateLimit } from "#app/domain/rate-limits/schema.ts";
import { DAY_MS } from "#app/domain/time.ts";
import { eventCalendars } from "#drizzle/schema/events.ts";

const ADDRESSES: readonly RateLimit[] = [{ windowMs: DAY_MS, limit: 20 }];

/**
 * Gives a person a secret calendar address. The previous one stops working. `tokenHash` is the
 * SHA-256 of the token, which is not stored. Refuses TooManyCalendars (20 a day).
 */
export async function issueCalendar(
  ctx: Context,
  { personId, tokenHash }: { personId: string; tokenHash: string },
): Promise<void> {
  try {
    await commit(ctx.db, [
      ...rateLimitStatements(ctx, { act: "event.calendar", personId, limits: ADDRESSES }),
      ctx.db
        .insert(eventCalendars)
        .values({ personId, tokenHash, createdAt: ctx.now() })
        .onConflictDoUpdate({
          target: eventCalendars.personId,
          set: { tokenHash, createdAt: ctx.now() },
        }),
    ]);
  } catch (error) {
    throw error instanceof StaleWrite ? new TooManyCalendars() : error;
  }
}

/** Revokes a person's calendar address. Safe to repeat. */
export async function revokeCalendar(
  ctx: Context,
  { personId }: { personId: string },
): Promise<void> {
  await ctx.db.delete(eventCalendars).where(eq(eventCalendars.personId, personId));
}
