import { commit } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { ProviderRefused, ProviderUnauthorized } from "#app/domain/payments/errors.ts";
import { providerOf } from "#app/domain/payments/providers/rules/providers.ts";
import { PROVIDER_KEY_REJECTED } from "#app/domain/payments/providers/rules/transfer-faults.ts";
import { payoutRow } from "#app/domain/payouts/queries.server.ts";
import { loadPayoutSnapshot } from "#app/domain/payouts/sending/queries/payout-snapshot.server.ts";
import {
  sendableAt,
  transferDestination,
} from "#app/domain/payouts/destinations/rules/destinations.ts";
import { unconfirmedSendWindow, isSendingBlocked } from "#app/domain/payouts/holds/rules/holds.ts";
import type { Payout } from "#app/domain/payouts/schema.ts";
import { settlePayout } from "./settle.server.ts";
import { authorizeSend, cancelClaimedPayout } from "./stop.server.ts";
import {
  isProviderBalanceShort,
  providerRefusalOf,
  waitForBankHoursStatement,
  waitForProviderStatement,
} from "#app/domain/payouts/holds/commands/waits.server.ts";
import type { ProviderRefusal } from "#app/domain/payouts/holds/commands/waits.server.ts";

/**
 * Sends a claimed payout under its own id, so that sending twice moves money once. Source: domain
 * rules, "Ledger"; docs/decisions/money/check-invariants-on-what-changed.md and
 * docs/decisions/money/let-a-payout-wait-for-balance.md.
 *
 * - An unclear answer (ProviderUnclear) is thrown. The money stays in transit, and the next run asks
 *   under the same key.
 * - If the provider rejects our API key (ProviderUnauthorized), nothing was sent and it waits an
 *   hour. The invariants notify the staff, once.
 * - A refusal because of our account or its balance waits, and is retried under the same key. A
 *   refusal because of the destination fails the payout.
 * - Outside bank hours nothing new is sent to a bank account. While the books are broken nothing new
 *   is sent. A transfer that the provider already has is only looked up.
 * - If the creator is held or banned meanwhile, or their documents lose approval, the claim is
 *   reversed (`cancelClaimedPayout`). It is not if the provider already has it.
 */
export async function sendPayout(ctx: Context, { payoutId }: { payoutId: string }): Promise<void> {
  const payout = await payoutRow(ctx, { payoutId });
  if (!payout || payout.status !== "claimed") return;
  try {
    await sendClaimed(ctx, payout);
  } catch (error) {
    if (!(error instanceof ProviderUnauthorized)) throw error;
    await commit(ctx.db, [
      waitForProviderStatement(
        ctx,
        payout,
        { waitsFor: "provider", code: PROVIDER_KEY_REJECTED },
        { wasRefused: false },
      ),
    ]);
  }
}

async function sendClaimed(ctx: Context, payout: Payout): Promise<void> {
  const payoutId = payout.id;
  const snapshot = await loadPayoutSnapshot(ctx, payout);
  if (snapshot.isHeldByBooks) {
    ctx.log("payouts.held_by_books", { payoutId });
    return void (await settlePayout(ctx, { payoutId }));
  }
  if (isSendingBlocked(snapshot)) {
    await settlePayout(ctx, { payoutId });
    return await cancelClaimedPayout(ctx, { payoutId, isBanned: snapshot.isBanned });
  }
  // It was claimed within bank hours and is sent after them. Look up what the provider already has;
  // nothing new leaves before banks open.
  const leaves = sendableAt(payout.pixKeyKind, ctx.now());
  if (leaves > ctx.now()) {
    await settlePayout(ctx, { payoutId });
    return await commit(ctx.db, [waitForBankHoursStatement(ctx, payout, leaves)]);
  }
  if (payout.waitsFor === "balance" && (await isProviderBalanceShort(ctx, payout)))
    return await waitForProvider(ctx, payout, { waitsFor: "balance" }, { wasRefused: false });
  if (!(await authorizeSend(ctx, payout))) return;
  try {
    const providerTransfer = await providerOf(ctx, payout).transfer({
      payoutId,
      amountCents: payout.amountCents,
      asked: unconfirmedSendWindow(payout),
      ...transferDestination(payout),
    });
    await settlePayout(ctx, { payoutId, providerTransfer });
  } catch (error) {
    if (!(error instanceof ProviderRefused)) throw error;
    const refused = await providerRefusalOf(ctx, payout, error.code);
    if (refused) return await waitForProvider(ctx, payout, refused, { wasRefused: true });
    await settlePayout(ctx, {
      payoutId,
      providerTransfer: {
        id: "",
        reference: payoutId,
        status: "failed",
        amountCents: payout.amountCents,
        failureCode: error.code,
      },
    });
  }
}

/**
 * Makes the payout wait. A transfer that the provider already has is settled first: it waits for
 * nothing, and may be why the balance is low.
 */
async function waitForProvider(
  ctx: Context,
  payout: Payout,
  refused: ProviderRefusal,
  asked: { wasRefused: boolean },
): Promise<void> {
  await settlePayout(ctx, { payoutId: payout.id });
  await commit(ctx.db, [waitForProviderStatement(ctx, payout, refused, asked)]);
}
