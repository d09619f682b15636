import { and, eq, sql } from "drizzle-orm";
import { commit, exactlyOne } from "#app/db/client.server.ts";
import { erasedAgeCheckStatement } from "#app/domain/age/commands.server.ts";
import { erasedBillingStatements } from "#app/domain/billing/commands/details.server.ts";
import { keptPayerStatements } from "#app/domain/payments/commands/refund-payer.server.ts";
import {
  erasedCollectionsStatements,
  eraseReadsAndPlaces,
} from "#app/domain/collections/commands/erasure.server.ts";
import { eraseCommentLikes } from "#app/domain/comments/commands/erasure.server.ts";
import type { Context } from "#app/domain/context.ts";
import { leavingPerson } from "#app/domain/deletion/queries/deletions.server.ts";
import { isAnythingOpen } from "#app/domain/deletion/queries/standing.server.ts";
import type { AccountDeletion } from "#app/domain/deletion/schema.ts";
import { eraseEvidence } from "#app/domain/disputes/commands/evidence.server.ts";
import { erasedDocumentsStatements } from "#app/domain/documents/commands/erasure.server.ts";
import { eraseDocumentFiles } from "#app/domain/documents/commands/files.server.ts";
import { erasedEventsStatement } from "#app/domain/events/commands.server.ts";
import { erasedPersonStatements } from "#app/domain/identity/commands/leaving.server.ts";
import { eraseMedia } from "#app/domain/media/commands/erasure.server.ts";
import { erasedNotificationsStatements } from "#app/domain/notifications/commands/erasure.server.ts";
import { forgottenStatement } from "#app/domain/outbox.server.ts";
import { erasedMethodStatements } from "#app/domain/payouts/commands/erasure.server.ts";
import { erasedPlansStatements } from "#app/domain/plans/commands/erasure.server.ts";
import { erasePosts } from "#app/domain/posts/commands/erasure.server.ts";
import { endedOfBuyerStatement } from "#app/domain/purchases/commands/end.server.ts";
import { erasedGiftWordsStatements } from "#app/domain/purchases/commands/end-gift.server.ts";
import { erasedTipMessagesStatement } from "#app/domain/purchases/commands/tips.server.ts";
import {
  eraseConnections,
  erasedProfileStatement,
} from "#app/domain/profiles/commands/erasure.server.ts";
import { erasedPriceAsksStatement } from "#app/domain/subscriptions/commands/price/ask.server.ts";
import {
  erasedTrialSetupsStatement,
  erasedTrialUsesStatement,
} from "#app/domain/subscriptions/commands/trial/setup.server.ts";
import { erasedPrivateFeedsStatement } from "#app/domain/syndication/commands/private-feeds.server.ts";
import { erasedMembershipsStatements } from "#app/domain/teams/commands/erasure.server.ts";
import { accountDeletions } from "#drizzle/schema/deletion.ts";

const ROWS_AT_ONCE = 100;
const ROUNDS_PER_RUN = 50;

/**
 * Erases what may be too much for one batch: posts, images, documents' files, likes, follows,
 * blocks and collections, a bounded piece at a time. Gives whether nothing is left; else the next
 * run goes on.
 */
export async function eraseBelongings(
  ctx: Context,
  { personId }: { personId: string },
): Promise<boolean> {
  for (let round = 0; round < ROUNDS_PER_RUN; round += 1) {
    const limit = ROWS_AT_ONCE;
    const erased = [
      await erasePosts(ctx, { authorId: personId, limit }),
      await eraseMedia(ctx, { ownerId: personId, limit }),
      await eraseEvidence(ctx, { creatorId: personId, limit }),
      await eraseDocumentFiles(ctx, { personId, limit }),
      await eraseConnections(ctx, { personId, limit }),
      await eraseCommentLikes(ctx, { personId, limit }),
      await eraseReadsAndPlaces(ctx, { personId, limit }),
    ];
    if (erased.every((count) => count === 0)) return true;
  }
  return false;
}

/**
 * The last batch: nobody is behind the account any more, and no way leads into it. The ledger,
 * charges, payouts, comments and messages keep their rows, which now name "Conta excluída". Refused
 * as stale while anything is open or any money is the person's.
 */
export async function erasePerson(
  ctx: Context,
  { id, personId }: Pick<AccountDeletion, "id" | "personId">,
): Promise<void> {
  const person = await leavingPerson(ctx, { personId });
  if (!person) return;
  await commit(ctx.db, [
    exactlyOne(
      ctx.db
        .update(accountDeletions)
        .set({ status: "done", doneAt: ctx.now(), letterTo: person.email })
        .where(
          and(
            eq(accountDeletions.id, id),
            eq(accountDeletions.status, "closing"),
            sql`NOT ${isAnythingOpen(personId)}`,
          ),
        ),
    ),
    ...erasedNotificationsStatements(ctx, person),
    forgottenStatement(ctx, person),
    ...erasedPersonStatements(ctx, { personId }),
    erasedAgeCheckStatement(ctx, { personId }),
    erasedProfileStatement(ctx, { personId }),
    endedOfBuyerStatement(ctx, { personId }),
    erasedTipMessagesStatement(ctx, { personId }),
    ...erasedGiftWordsStatements(ctx, person),
    ...erasedPlansStatements(ctx, { creatorId: personId }),
    erasedPriceAsksStatement(ctx, { creatorId: personId }),
    ...erasedCollectionsStatements(ctx, { creatorId: personId }),
    erasedEventsStatement(ctx, { creatorId: personId }),
    ...(await erasedDocumentsStatements(ctx, { personId })),
    ...erasedMembershipsStatements(ctx, person),
    ...erasedMethodStatements(ctx, { creatorId: personId }),
    erasedPrivateFeedsStatement(ctx, { personId }),
    erasedTrialSetupsStatement(ctx, { personId }),
    erasedTrialUsesStatement(ctx, { personId }),
    ...(await keptPayerStatements(ctx, { personId })),
    ...erasedBillingStatements(ctx, { personId }),
    ...ctx.accounts.erasureStatements(person),
  ]);
  ctx.log("deletion.done", { personId, deletionId: id });
}
