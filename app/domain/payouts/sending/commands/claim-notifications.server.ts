import type { BatchWrite } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { announce } from "#app/domain/outbox.server.ts";
import { PAYOUT_END_TEXTS } from "#app/domain/payouts/holds/rules/holds.ts";
import type { PayoutEndReason } from "#app/domain/payouts/holds/rules/holds.ts";
import type { HeldReason, Payout } from "#app/domain/payouts/schema.ts";
import type { PayoutMessage } from "#app/domain/payouts/schema/outbox.ts";
import type { PayoutSnapshot } from "#app/domain/payouts/sending/queries/payout-snapshot.server.ts";
import type { Instant } from "#app/domain/time.ts";

/** `staffIds`: who is notified of a payout that needs a moderator's approval; loaded only then. */
export type HeldPayout = {
  staffIds: () => Promise<string[]>;
  payout: Payout;
  hold: { reason: HeldReason; until: Instant | null };
  snapshot: PayoutSnapshot;
};

type PayoutNotification = { id: string; write: BatchWrite };

/**
 * Returns the notification of an end that the creator can act on or would not expect; none for
 * other ends.
 */
export function endNotifications(
  ctx: Context,
  { id: payoutId, creatorId }: Payout,
  end: PayoutEndReason,
): PayoutNotification[] {
  const reason = PAYOUT_END_TEXTS[end];
  const id = `payout:${payoutId}:ended`;
  return reason === undefined
    ? []
    : [
        {
          id,
          write: announce<PayoutMessage>(ctx, id, {
            type: "payout.ended",
            payoutId,
            creatorId,
            reason,
          }),
        },
      ];
}

/**
 * Returns the notifications of why a payout is held. A moderator's hold already notified the
 * creator.
 */
export async function holdNotifications(
  ctx: Context,
  { payout: { id: payoutId, creatorId }, hold: { reason, until }, snapshot, staffIds }: HeldPayout,
): Promise<PayoutNotification[]> {
  if (reason === "moderation") return [];
  const key = `payout:${payoutId}:held:${ctx.newId()}`;
  const toCreator = {
    id: key,
    write: announce<PayoutMessage>(ctx, key, {
      type: "payout.held",
      payoutId,
      creatorId,
      reason,
      until,
    }),
  };
  if (reason !== "approval") return [toCreator];
  const moderatorIds = (await staffIds()).filter((id) => id !== creatorId);
  if (moderatorIds.length === 0) return [toCreator];
  return [
    toCreator,
    {
      id: `${key}:staff`,
      write: announce<PayoutMessage>(ctx, `${key}:staff`, {
        type: "payout.approval_asked",
        payoutId,
        moderatorIds,
        amountCents: snapshot.availableCents,
      }),
    },
  ];
}
