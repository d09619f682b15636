import type { Context } from "#app/domain/context.ts";
import { handledStatement } from "#app/domain/payments/commands/inbox.server.ts";
import type { About } from "#app/domain/payments/commands/inbox.server.ts";
import { settleRefundTransfer } from "#app/domain/payments/commands/send-refund-transfer.server.ts";
import {
  deliveryOf,
  deliveryOfTransferStatement,
} from "#app/domain/payments/queries/deliveries.server.ts";
import type { Told } from "#app/domain/payments/queries/deliveries.server.ts";
import { transferStanding } from "#app/domain/payments/queries/refund-transfers.server.ts";
import { madeBy } from "#app/domain/payments/rules/providers.ts";
import { settlePayout } from "#app/domain/payouts/commands/settle.server.ts";
import type { PayoutOutcome } from "#app/domain/payouts/commands/settle.server.ts";
import { payoutRow } from "#app/domain/payouts/queries.server.ts";
import { payoutToldOf, payoutToldStatement } from "#app/domain/payouts/queries/told.server.ts";
import type { Payout } from "#app/domain/payouts/schema.ts";
import { readsOfDelivery } from "./found.ts";
import type { Found, Problem, Telling } from "./found.ts";

const READS = readsOfDelivery(({ db, inboxId }) => ({
  delivery: [deliveryOfTransferStatement({ db }, { inboxId })],
  payout: [payoutToldStatement({ db }, { inboxId })],
}));

/** A delivery about a Pix of ours: a payout, or money that goes back to who paid. */
export async function transferFound(ctx: Context, { inboxId }: Telling): Promise<Found | null> {
  const { delivery, payout } = await READS(ctx, inboxId);
  const told = deliveryOf(delivery[0]);
  return (
    told && {
      event: told.event,
      apply: async () => await settled(ctx, told, payoutToldOf(payout[0])),
    }
  );
}

/**
 * The event may come before we could write the provider's id: its reference is the id of our row,
 * which we wrote first.
 */
async function settled(ctx: Context, told: Told, payout: Payout | null): Promise<Problem | null> {
  const { id: inboxId, provider, objectId } = told.event;
  const said = await madeBy(ctx, { provider }).transferById(objectId);
  const alongside = [handledStatement(ctx, { inboxId })];
  const known =
    told.transfer && told.charge ? { transfer: told.transfer, charge: told.charge } : null;
  const back = payout
    ? null
    : (known ??
      (said.reference ? await transferStanding(ctx, { transferId: said.reference }) : null));
  if (back?.transfer.provider === provider) {
    return problemOf(
      await settleRefundTransfer(ctx, {
        transferId: back.transfer.id,
        said,
        read: back,
        alongside,
      }),
      { chargeId: back.charge.id },
    );
  }
  const paidOut =
    payout ?? (said.reference ? await payoutRow(ctx, { payoutId: said.reference }) : null);
  if (paidOut?.provider !== provider) return { reason: "unknown_transfer" };
  return problemOf(
    await settlePayout(ctx, { payoutId: paidOut.id, said, read: paidOut, alongside }),
    { payoutId: paidOut.id },
  );
}

const problemOf = (outcome: PayoutOutcome, about: About): Problem | null =>
  outcome === "applied" ? null : { reason: outcome, about };
