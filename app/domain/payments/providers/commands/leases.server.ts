import { lt, lte } from "drizzle-orm";
import type { Database } from "#app/db/client.server.ts";
import { DAY_MS, MINUTE_MS } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";
import { providerTurns } from "#drizzle/schema/payments.ts";

/**
 * Longer than any worker runs: whoever looked before somebody else's turn began cannot still be at
 * it when that turn ends.
 */
export const LEASE_MS = 20 * MINUTE_MS;

/**
 * Whether the caller is the one that may do `subject` at a provider now: for twenty minutes
 * (`forMs`) from then nobody else is, whatever becomes of the caller. For what a provider would do
 * twice when two ask at once, since it knows no key of ours. `at` is real time.
 */
export async function acquireLease(
  { db, at }: { db: Database; at: Instant },
  { subject, forMs = LEASE_MS }: { subject: string; forMs?: number | undefined },
): Promise<boolean> {
  const heldUntil = at + forMs;
  const [, taken] = await db.batch([
    db.delete(providerTurns).where(lt(providerTurns.heldUntil, at - DAY_MS)),
    db
      .insert(providerTurns)
      .values({ subject, heldUntil })
      .onConflictDoUpdate({
        target: providerTurns.subject,
        set: { heldUntil },
        setWhere: lte(providerTurns.heldUntil, at),
      })
      .returning({ subject: providerTurns.subject }),
  ]);
  return taken.length > 0;
}
