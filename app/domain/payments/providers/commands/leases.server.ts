import { lt, lte } from "drizzle-orm";
import type { Database } from "#app/db/client.server.ts";
import { DAY_MS, MINUTE_MS } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";
import { providerTurns } from "#drizzle/schema/payments.ts";

/**
 * Longer than any worker runs. A worker that started before the lease was acquired is done when it
 * ends.
 */
export const LEASE_MS = 20 * MINUTE_MS;

/**
 * Acquires the exclusive right to act on `subject` at a provider for twenty minutes (`forMs`).
 * Returns false while another caller has it; a crash does not release it. For actions that a
 * provider would do twice, since it knows no idempotency key of ours. `at` is real time.
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
