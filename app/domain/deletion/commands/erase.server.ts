import { and, eq, sql } from "drizzle-orm";
import { commit, mustChangeOne } from "#app/db/client.server.ts";
import { eraseAgeCheckStatement } from "#app/domain/age/commands.server.ts";
import { eraseBroadcasts } from "#app/domain/broadcasts/commands/erasure.server.ts";
import { eraseBillingStatements } from "#app/domain/billing/details/commands.server.ts";
import { retainedPayerDigestStatements } from "#app/domain/payments/refund-transfers/commands/refund-payer.server.ts";
import {
  eraseCollectionsStatements,
  eraseReadingData,
} from "#app/domain/collections/commands/erasure.server.ts";
import { eraseCommentLikes } from "#app/domain/comments/commands/erasure.server.ts";
import type { Context } from "#app/domain/context.ts";
import { personOfDeletion } from "#app/domain/deletion/queries/deletions.server.ts";
import { hasOpenObligationsSql } from "#app/domain/deletion/queries/blockers.server.ts";
import type { AccountDeletion } from "#app/domain/deletion/schema.ts";
import { eraseEvidence } from "#app/domain/disputes/commands/evidence.server.ts";
import { eraseDocumentsStatements } from "#app/domain/documents/erasure/commands.server.ts";
import { eraseDocumentFiles } from "#app/domain/documents/files/commands/files.server.ts";
import { eraseEventsStatements, eraseSeats } from "#app/domain/events/commands/erasure.server.ts";
import { erasePersonStatements } from "#app/domain/identity/account-status/commands/deletion.server.ts";
import {
  eraseMessageReactions,
  eraseMessageSettingsStatement,
  removeBlockedConversations,
} from "#app/domain/messages/commands/erasure.server.ts";
import { eraseMedia } from "#app/domain/media/commands/erasure.server.ts";
import { eraseReportsStatements } from "#app/domain/moderation/reports/commands/retention.server.ts";
import { eraseReaderStatement } from "#app/domain/newsletters/commands/reactions.server.ts";
import { eraseNotificationsStatements } from "#app/domain/notifications/commands/erasure.server.ts";
import { eraseOutboxMentionsStatement } from "#app/domain/outbox.server.ts";
import { eraseWithdrawalMethodStatements } from "#app/domain/payouts/erasure/commands.server.ts";
import { erasePlansStatements } from "#app/domain/plans/commands/erasure.server.ts";
import { erasePosts } from "#app/domain/posts/commands/erasure.server.ts";
import { endBuyerPurchasesStatement } from "#app/domain/purchases/single-purchases/commands/end.server.ts";
import { eraseGiftTextsStatements } from "#app/domain/purchases/gifts/commands/end-gift.server.ts";
import { eraseTipMessagesStatement } from "#app/domain/purchases/tips/commands/tips.server.ts";
import {
  eraseConnections,
  eraseProfileStatement,
} from "#app/domain/profiles/commands/erasure.server.ts";
import { erasePriceChangeActorsStatement } from "#app/domain/subscriptions/price-changes/commands/price-change.server.ts";
import {
  eraseTrialSetupsStatement,
  eraseTrialUsesStatement,
} from "#app/domain/subscriptions/trials/commands/erasure.server.ts";
import { erasePrivateFeedsStatement } from "#app/domain/syndication/commands/private-feeds.server.ts";
import { eraseMembershipsStatements } from "#app/domain/teams/commands/erasure.server.ts";
import { accountDeletions } from "#drizzle/schema/deletion.ts";

const ROWS_AT_ONCE = 100;
const ROUNDS_PER_RUN = 50;

/**
 * Erases what may be too much for one batch: posts, images, document files, likes, follows, blocks,
 * collections and seats of events. Works in bounded pieces. Returns true when nothing is left;
 * otherwise the next run continues.
 */
export async function eraseOwnedData(
  ctx: Context,
  { personId }: { personId: string },
): Promise<boolean> {
  for (let round = 0; round < ROUNDS_PER_RUN; round += 1) {
    const limit = ROWS_AT_ONCE;
    const removed = await removeBlockedConversations(ctx, { personId, limit });
    // The blocks go only when nothing of what they hide is left.
    if (removed === limit) continue;
    const erased = [
      removed,
      await erasePosts(ctx, { authorId: personId, limit }),
      await eraseMedia(ctx, { ownerId: personId, limit }),
      await eraseEvidence(ctx, { creatorId: personId, limit }),
      await eraseDocumentFiles(ctx, { personId, limit }),
      await eraseConnections(ctx, { personId, limit }),
      await eraseCommentLikes(ctx, { personId, limit }),
      await eraseMessageReactions(ctx, { personId, limit }),
      await eraseBroadcasts(ctx, { personId, limit }),
      await eraseReadingData(ctx, { personId, limit }),
      await eraseSeats(ctx, { personId, limit }),
    ];
    if (erased.every((count) => count === 0)) return true;
  }
  return false;
}

/**
 * Erases the account: nobody can sign in to it any more. The ledger, charges, payouts, comments and
 * messages keep their rows, which now show "Conta excluída". Throws StaleWrite while anything is
 * open or the person still has money.
 */
export async function eraseAccount(
  ctx: Context,
  { id, personId }: Pick<AccountDeletion, "id" | "personId">,
): Promise<void> {
  const person = await personOfDeletion(ctx, { personId });
  if (!person) return;
  await commit(ctx.db, [
    mustChangeOne(
      ctx.db
        .update(accountDeletions)
        .set({ status: "done", doneAt: ctx.now(), letterTo: person.email })
        .where(
          and(
            eq(accountDeletions.id, id),
            eq(accountDeletions.status, "closing"),
            sql`NOT ${hasOpenObligationsSql(personId)}`,
          ),
        ),
    ),
    ...eraseNotificationsStatements(ctx, person),
    eraseOutboxMentionsStatement(ctx, person),
    ...erasePersonStatements(ctx, { personId }),
    eraseReaderStatement(ctx, { personId }),
    eraseAgeCheckStatement(ctx, { personId }),
    eraseProfileStatement(ctx, { personId }),
    eraseMessageSettingsStatement(ctx, { personId }),
    endBuyerPurchasesStatement(ctx, { personId }),
    eraseTipMessagesStatement(ctx, { personId }),
    ...eraseGiftTextsStatements(ctx, person),
    ...erasePlansStatements(ctx, { creatorId: personId }),
    erasePriceChangeActorsStatement(ctx, { creatorId: personId }),
    ...eraseCollectionsStatements(ctx, { creatorId: personId }),
    ...eraseEventsStatements(ctx, { personId }),
    ...(await eraseDocumentsStatements(ctx, { personId })),
    ...eraseMembershipsStatements(ctx, person),
    ...eraseWithdrawalMethodStatements(ctx, { creatorId: personId }),
    erasePrivateFeedsStatement(ctx, { personId }),
    ...eraseReportsStatements(ctx, { personId }),
    eraseTrialSetupsStatement(ctx, { personId }),
    eraseTrialUsesStatement(ctx, { personId }),
    ...(await retainedPayerDigestStatements(ctx, { personId })),
    ...eraseBillingStatements(ctx, { personId }),
    ...ctx.accounts.erasureStatements(person),
  ]);
  ctx.log("deletion.done", { personId, deletionId: id });
}
