import { and, eq, isNull } from "drizzle-orm";
import { commit, mustChangeOne } from "#app/db/client.server.ts";
import { StaleWrite } from "#app/db/errors.ts";
import type { Context } from "#app/domain/context.ts";
import { deletionPreview } from "#app/domain/deletion/queries/preview.server.ts";
import { deletionRow, personOfDeletion } from "#app/domain/deletion/queries/deletions.server.ts";
import { loadDeletionBlockers } from "#app/domain/deletion/queries/blockers.server.ts";
import {
  deletionConsequenceLines,
  deletionStep,
  accountDeletedEmail,
  canRequestLastPayout,
  deletionWaitReasons,
  waitReasonText,
} from "#app/domain/deletion/rules.ts";
import type { AccountDeletion } from "#app/domain/deletion/schema.ts";
import { announce } from "#app/domain/outbox.server.ts";
import type { DeletionMessage } from "#app/domain/deletion/schema/outbox.ts";
import { requestPayout } from "#app/domain/payouts/commands.server.ts";
import { expireGift } from "#app/domain/purchases/gifts/commands/end-gift.server.ts";
import { endAndRefundPurchase } from "#app/domain/purchases/single-purchases/commands/end.server.ts";
import { unclaimedGiftsOfSeller } from "#app/domain/purchases/gifts/queries/due-gifts.server.ts";
import { activePurchasesOfSeller } from "#app/domain/purchases/queries.server.ts";
import { closeSubscription } from "#app/domain/subscriptions/endings/commands/close.server.ts";
import { subscriptionRow } from "#app/domain/subscriptions/queries.server.ts";
import { liveSubscriptionsOfPerson } from "#app/domain/subscriptions/coverage/queries.server.ts";
import { accountDeletions } from "#drizzle/schema/deletion.ts";
import { eraseOwnedData, eraseAccount } from "./erase.server.ts";

const SUBSCRIPTIONS_PER_RUN = 200;
const PURCHASES_PER_RUN = 200;

/**
 * Advances one deletion as far as it can go now. It sends the email of the last days. After thirty
 * days it ends every subscription on both sides and refunds the unused days. It also ends the
 * purchases and gifts that the person sold. When nothing is open and no money is pending, it
 * requests the last payout. When that is paid, it erases the account. Every step is its own commit
 * and does nothing when repeated. So it is safe to run twice, in parallel, and to be killed at any
 * line.
 */
export async function advanceDeletion(
  ctx: Context,
  { deletionId }: { deletionId: string },
): Promise<void> {
  try {
    const deletion = await deletionRow(ctx, { deletionId });
    if (!deletion) return;
    const step = deletionStep(deletion, ctx.now());
    if (step === "remind") await remind(ctx, deletion);
    if (step === "begin") await begin(ctx, deletion);
    if (step === "begin" || step === "close") await close(ctx, deletion);
    if (step !== "nothing" && step !== "remind") await finish(ctx, { deletionId });
  } catch (error) {
    // Another run took the step, or something opened meanwhile. The next run checks again.
    if (!(error instanceof StaleWrite)) throw error;
  }
}

async function remind(ctx: Context, { id, personId, dueAt }: AccountDeletion): Promise<void> {
  const [figures, blockers] = await Promise.all([
    deletionPreview(ctx, { personId, dueAt }),
    loadDeletionBlockers(ctx, { personId }),
  ]);
  const blocked = deletionWaitReasons(blockers).filter(
    ({ kind }) => kind === "disputes" || kind === "balance",
  );
  const lines = [
    ...deletionConsequenceLines(figures),
    ...blocked.map((reason) => `A exclusão vai esperar: ${waitReasonText(reason)}`),
  ];
  await commit(ctx.db, [
    mustChangeOne(
      ctx.db
        .update(accountDeletions)
        .set({ remindedAt: ctx.now() })
        .where(
          and(
            eq(accountDeletions.id, id),
            eq(accountDeletions.status, "requested"),
            isNull(accountDeletions.remindedAt),
          ),
        ),
    ),
    announce<DeletionMessage>(ctx, `deletion:${id}:reminded`, {
      type: "deletion.reminded",
      deletionId: id,
      personId,
      dueAt,
      lines,
      keepUrl: `${ctx.settings.appOrigin}/auth/account/deletion`,
    }),
  ]);
}

async function begin(ctx: Context, { id, personId }: AccountDeletion): Promise<void> {
  await commit(ctx.db, [
    mustChangeOne(
      ctx.db
        .update(accountDeletions)
        .set({ status: "closing" })
        .where(and(eq(accountDeletions.id, id), eq(accountDeletions.status, "requested"))),
    ),
  ]);
  ctx.log("deletion.began", { personId, deletionId: id });
}

async function close(ctx: Context, deletion: AccountDeletion): Promise<void> {
  const { personId } = deletion;
  for (const subscriptionId of await liveSubscriptionsOfPerson(ctx, {
    personId,
    limit: SUBSCRIPTIONS_PER_RUN,
  })) {
    const subscription = await subscriptionRow(ctx, { subscriptionId });
    await closeSubscription(ctx, {
      subscriptionId,
      because: subscription?.fanId === personId ? "fan_left" : "creator_left",
    });
  }
  for (const purchaseId of await activePurchasesOfSeller(ctx, {
    creatorId: personId,
    limit: PURCHASES_PER_RUN,
  })) {
    await endAndRefundPurchase(ctx, { purchaseId, because: "creator_left" });
  }
  for (const giftId of await unclaimedGiftsOfSeller(ctx, {
    creatorId: personId,
    limit: PURCHASES_PER_RUN,
  })) {
    await expireGift(ctx, { giftId });
  }
  const blockers = await loadDeletionBlockers(ctx, { personId });
  if (canRequestLastPayout(blockers)) {
    await requestPayout(ctx, { creatorId: personId, isClosing: true });
    return;
  }
  if (deletionWaitReasons(blockers).length > 0) return;
  if (await eraseOwnedData(ctx, { personId })) await eraseAccount(ctx, deletion);
}

/**
 * Runs after the last batch. Deletes the user at the identity provider, then sends the last email
 * to their former address.
 */
async function finish(ctx: Context, { deletionId }: { deletionId: string }): Promise<void> {
  const deletion = await deletionRow(ctx, { deletionId });
  if (!deletion || deletionStep(deletion, ctx.now()) !== "finish") return;
  const person = await personOfDeletion(ctx, deletion);
  if (person) await ctx.accounts.forget(person);
  if (deletion.letterTo)
    await ctx.mailer.send({
      key: `deletion:${deletionId}:done`,
      to: deletion.letterTo,
      ...accountDeletedEmail(),
    });
  await commit(ctx.db, [
    mustChangeOne(
      ctx.db
        .update(accountDeletions)
        .set({ finishedAt: ctx.now(), letterTo: null })
        .where(and(eq(accountDeletions.id, deletionId), isNull(accountDeletions.finishedAt))),
    ),
  ]);
  ctx.log("deletion.finished", { deletionId });
}
