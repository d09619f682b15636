import type { Database } from "#app/db/client.server.ts";
import type { SmsSender } from "#app/domain/notifications/schema/senders.ts";
import { localTexts } from "#drizzle/schema/sms.ts";

/** The local SMS sender: stores each text message once, by its key, for the sandbox console. */
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
