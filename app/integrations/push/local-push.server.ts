import type { Database } from "#app/db/client.server.ts";
import type { PushSender } from "#app/domain/notifications/schema/senders.ts";
import { localPushes } from "#drizzle/schema/push.ts";

/** The local push sender: stores each push once, by its key, for the sandbox console. */
export function localPush(db: Database, realNow: () => number): PushSender {
  return {
    async send({ key, device, payload }) {
      await db
        .insert(localPushes)
        .values({
          id: key,
          sourceKey: key,
          endpoint: device.endpoint,
          payload: JSON.stringify(payload),
          createdAt: realNow(),
        })
        .onConflictDoNothing();
      return "sent";
    },
  };
}
