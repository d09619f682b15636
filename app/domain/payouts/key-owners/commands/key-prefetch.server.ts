import { and, lte, sql } from "drizzle-orm";
import type { BatchWrite } from "#app/db/client.server.ts";
import { commit } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { pixKeyLookupProvider } from "#app/domain/payments/providers/rules/providers.ts";
import { keysToPrefetch } from "#app/domain/payouts/key-owners/queries/key-prefetch.server.ts";
import { payoutsWaitingForKeyOwner } from "#app/domain/payouts/holds/queries.server.ts";
import { KEY_LOOKUPS_PER_MINUTE } from "#app/domain/payouts/key-owners/rules/key-owners.ts";
import {
  KEY_PREFETCH_RETRY_MS,
  planKeyPrefetch,
  KEY_PREFETCH_RECHECK_MS,
} from "#app/domain/payouts/key-owners/rules/key-prefetch.ts";
import type { Instant } from "#app/domain/time.ts";
import { withdrawalMethods } from "#drizzle/schema/payouts.ts";

/** Keys examined per minute for prefetching. */
const LOOKED_AT = 100;

/**
 * Shares the key lookups of a minute between waiting payouts and prefetching.
 *
 * Payouts that wait for a lookup come first. Free lookups prefetch key owners, so that a busy
 * payday finds the answers saved. Each waiting payout reserves a lookup, whether it is due or not.
 * INVARIANT: it gives at most `KEY_LOOKUPS_PER_MINUTE` lookups.
 */
export async function allocateKeyLookups(ctx: Context): Promise<void> {
  const waiting = await payoutsWaitingForKeyOwner(ctx, { limit: KEY_LOOKUPS_PER_MINUTE });
  await ctx.queues.payouts.sendAll(
    waiting
      .filter(({ isDue }) => isDue)
      .map(({ id }) => ({ version: 1, type: "payout.claim", id })),
  );
  const turns = KEY_LOOKUPS_PER_MINUTE - waiting.length;
  if (turns === 0 || !pixKeyLookupProvider(ctx.payments)) return;
  const now = ctx.now();
  const keys = await keysToPrefetch(ctx, { now, limit: LOOKED_AT });
  if (keys.length === 0) return;
  const { lookedUp, lookUpNow, notYet } = planKeyPrefetch(keys, turns);
  const nextLookAt = (creatorIds: readonly string[], askOwnerAt: Instant | null): BatchWrite =>
    ctx.db
      .update(withdrawalMethods)
      .set({ askOwnerAt })
      .where(
        and(
          sql`${withdrawalMethods.creatorId} IN (SELECT value FROM json_each(${JSON.stringify(creatorIds)}))`,
          lte(withdrawalMethods.askOwnerAt, now),
        ),
      );
  await commit(ctx.db, [
    nextLookAt(lookedUp, null),
    nextLookAt(lookUpNow, now + KEY_PREFETCH_RETRY_MS),
    nextLookAt(notYet, now + KEY_PREFETCH_RECHECK_MS),
  ]);
  await ctx.queues.payouts.sendAll(
    lookUpNow.map((id) => ({ version: 1, type: "key_owner.ask", id })),
  );
}
