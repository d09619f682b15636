import { and, lte, sql } from "drizzle-orm";
import type { Write } from "#app/db/client.server.ts";
import { commit } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { keyTellerOf } from "#app/domain/payments/rules/providers.ts";
import { keysToAskAhead } from "#app/domain/payouts/queries/keys-ahead.server.ts";
import { waitingForKeyOwner } from "#app/domain/payouts/queries/waits.server.ts";
import { KEYS_A_MINUTE } from "#app/domain/payouts/rules/key-owners.ts";
import {
  ASKED_AHEAD_AGAIN_MS,
  keysAhead,
  LOOKED_AT_AGAIN_MS,
} from "#app/domain/payouts/rules/keys-ahead.ts";
import type { Instant } from "#app/domain/time.ts";
import { withdrawalMethods } from "#drizzle/schema/payouts.ts";

/** Of how many it is looked at in a minute whether to ask ahead. */
const LOOKED_AT = 100;

/**
 * Shares the keys that the directory of Pix tells of in a minute: payouts that wait for one come
 * first, and what none of them needs is asked ahead, so that a payday of many finds the answers
 * there. A turn is kept for each that waits, its time come or not. INVARIANT: no more turns are
 * given than `KEYS_A_MINUTE`.
 */
export async function giveKeyTurns(ctx: Context): Promise<void> {
  const waiting = await waitingForKeyOwner(ctx, { limit: KEYS_A_MINUTE });
  await ctx.queues.payouts.sendAll(
    waiting
      .filter(({ isDue }) => isDue)
      .map(({ id }) => ({ version: 1, type: "payout.claim", id })),
  );
  const turns = KEYS_A_MINUTE - waiting.length;
  if (turns === 0 || !keyTellerOf(ctx.payments)) return;
  const now = ctx.now();
  const keys = await keysToAskAhead(ctx, { now, limit: LOOKED_AT });
  if (keys.length === 0) return;
  const { told, asked, notYet } = keysAhead(keys, turns);
  const lookedAt = (creatorIds: readonly string[], askOwnerAt: Instant | null): Write =>
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
    lookedAt(told, null),
    lookedAt(asked, now + ASKED_AHEAD_AGAIN_MS),
    lookedAt(notYet, now + LOOKED_AT_AGAIN_MS),
  ]);
  await ctx.queues.payouts.sendAll(asked.map((id) => ({ version: 1, type: "key_owner.ask", id })));
}
