import { and, eq } from "drizzle-orm";
import { commit, mustChangeOne } from "#app/db/client.server.ts";
import { StaleWrite, UniqueViolation } from "#app/db/errors.ts";
import type { Context } from "#app/domain/context.ts";
import {
  DeletionAlreadyRequested,
  DeletionNotRequested,
  DeletionNotCancelable,
} from "#app/domain/deletion/errors.ts";
import { deletionPreview } from "#app/domain/deletion/queries/preview.server.ts";
import { openDeletion } from "#app/domain/deletion/queries/deletions.server.ts";
import { deletionConsequenceLines, deletionDueAt } from "#app/domain/deletion/rules.ts";
import {
  deletionRequestedStatement,
  deletionCanceledStatement,
} from "#app/domain/identity/account-status/commands/deletion.server.ts";
import { pageClosedStatement } from "#app/domain/events/attendees/commands.server.ts";
import { announce } from "#app/domain/outbox.server.ts";
import type { DeletionMessage } from "#app/domain/deletion/schema/outbox.ts";
import type { Instant } from "#app/domain/time.ts";
import { accountDeletions } from "#drizzle/schema/deletion.ts";

/**
 * Requests the deletion of a person, also of a banned one. A moderator records it for a person who
 * cannot sign in. From now on nothing renews, nothing new is sold by or to them, and only payers
 * see their page. `advanceDeletion` moves money and erases data after thirty days. Returns the due
 * date. Throws DeletionAlreadyRequested: two clicks make one deletion. Source: issue 3, "Deletion";
 * LGPD art. 18, VI.
 */
export async function requestDeletion(
  ctx: Context,
  { personId }: { personId: string },
): Promise<{ deletionId: string; dueAt: Instant }> {
  const now = ctx.now();
  const [deletionId, dueAt] = [ctx.newId(), deletionDueAt(now)];
  const lines = deletionConsequenceLines(await deletionPreview(ctx, { personId, dueAt }));
  const outboxId = `deletion:${deletionId}:requested`;
  const keepUrl = `${ctx.settings.appOrigin}/auth/account/deletion`;
  try {
    await commit(ctx.db, [
      ctx.db
        .insert(accountDeletions)
        .values({ id: deletionId, personId, status: "requested", requestedAt: now, dueAt }),
      deletionRequestedStatement(ctx, { personId }),
      pageClosedStatement(ctx, { creatorId: personId, key: deletionId }),
      announce<DeletionMessage>(ctx, outboxId, {
        type: "deletion.requested",
        deletionId,
        personId,
        dueAt,
        lines,
        keepUrl,
      }),
    ]);
  } catch (error) {
    throw error instanceof UniqueViolation || error instanceof StaleWrite
      ? new DeletionAlreadyRequested()
      : error;
  }
  ctx.log("deletion.requested", { personId, deletionId });
  await ctx.queues.notifications.send({ version: 1, type: "outbox.deliver", id: outboxId });
  return { deletionId, dueAt };
}

/**
 * Cancels a deletion ("Manter minha conta"): within the thirty days everything is as before. Throws
 * DeletionNotRequested, and DeletionNotCancelable once money moves.
 */
export async function cancelDeletion(
  ctx: Context,
  { personId }: { personId: string },
): Promise<void> {
  const deletion = await openDeletion(ctx, { personId });
  if (!deletion) throw new DeletionNotRequested();
  if (deletion.status !== "requested" || ctx.now() >= deletion.dueAt)
    throw new DeletionNotCancelable(deletion.dueAt);
  const outboxId = `deletion:${deletion.id}:canceled`;
  try {
    await commit(ctx.db, [
      mustChangeOne(
        ctx.db
          .update(accountDeletions)
          .set({ status: "canceled", canceledAt: ctx.now() })
          .where(
            and(eq(accountDeletions.id, deletion.id), eq(accountDeletions.status, "requested")),
          ),
      ),
      deletionCanceledStatement(ctx, { personId }),
      announce<DeletionMessage>(ctx, outboxId, {
        type: "deletion.canceled",
        deletionId: deletion.id,
        personId,
      }),
    ]);
  } catch (error) {
    throw error instanceof StaleWrite ? new DeletionNotRequested() : error;
  }
  ctx.log("deletion.canceled", { personId, deletionId: deletion.id });
  await ctx.queues.notifications.send({ version: 1, type: "outbox.deliver", id: outboxId });
}
