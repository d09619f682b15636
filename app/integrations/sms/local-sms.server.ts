import type { Database } from "#app/db/client.server.ts";
import type { SmsSender } from "#app/domain/notifications/schema/senders.ts";
import { localTexts } from "#drizzle/schema/sms.ts";

/**
 * The embedded sender of text messages: keeps each once, by its key, where the sandbox console
 * shows it.
 */
export function localSms(db: Database, realNow: () => number): SmsSender {
  return {
    async send({ key, to, body }) {
      await db
        .insert(localTexts)
        .values({ id: key, recipient: to, body, createdAt: realNow() })
        .onConflictDoNothing();
    },
  };
}
