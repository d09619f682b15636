import { and, eq, isNotNull } from "drizzle-orm";
import { commit, mustChangeOne } from "#app/db/client.server.ts";
import { StaleWrite } from "#app/db/errors.ts";
import type { Context } from "#app/domain/context.ts";
import { DeliveryNotFailed } from "#app/domain/notifications/errors.ts";
import { failedDelivery } from "#app/domain/notifications/queries/failures.server.ts";
import type { FailedDelivery } from "#app/domain/notifications/schema.ts";
import { FAN_OUT_TYPES } from "#app/domain/outbox.ts";
import { retryOutboxStatement } from "#app/domain/outbox.server.ts";
import { deliveryRetries, notificationDeliveries } from "#drizzle/schema/notifications.ts";

/**
 * Tries a failed delivery again, as if it were new: for as long, from now on. Records who asked. Of
 * two concurrent requests one succeeds. Refuses DeliveryNotFailed.
 */
export async function retryFailedDelivery(
  ctx: Context,
  { source, id, moderatorId }: Pick<FailedDelivery, "source" | "id"> & { moderatorId: string },
): Promise<void> {
  const failed = await failedDelivery(ctx, { source, id });
  if (!failed) throw new DeliveryNotFailed();
  const now = ctx.now();
  const again =
    source === "message"
      ? retryOutboxStatement(ctx, { outboxId: failed.key })
      : ctx.db
          .update(notificationDeliveries)
          .set({ failedAt: null, attempts: 0, dueAt: now, createdAt: now })
          .where(
            and(
              eq(notificationDeliveries.key, failed.key),
              isNotNull(notificationDeliveries.failedAt),
            ),
          );
  try {
    await commit(ctx.db, [
      mustChangeOne(again),
      ctx.db.insert(deliveryRetries).values({
        id: ctx.newId(),
        deliveryNumber: id,
        moderatorId,
        failure: failed.failure,
        createdAt: now,
      }),
    ]);
  } catch (error) {
    if (!(error instanceof StaleWrite)) throw error;
    throw new DeliveryNotFailed();
  }
  ctx.log("notifications.delivery_retried", { id, source, moderatorId });
  if (source === "delivery") return;
  const isFanOut = (FAN_OUT_TYPES as readonly string[]).includes(failed.about);
  await (isFanOut ? ctx.queues.fanOut : ctx.queues.notifications).send({
    version: 1,
    type: "outbox.deliver",
    id: failed.key,
  });
}
