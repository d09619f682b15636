import type { OutboxMessage } from "#app/domain/outbox.server.ts";
import type { Instant } from "#app/domain/time.ts";

/** A mail as the product writes it. `key` makes it once, however often it is handed over. */
export type Mail = { key: string; to: string; subject: string; body: string };

export type Mailer = { send(mail: Mail): Promise<void> };

/** One person to tell, in the product's words; `path` is where it leads. */
export type Told = {
  personId: string;
  kind: OutboxMessage["type"];
  body: string;
  path: string;
  mail: { subject: string; body: string } | null;
};

export type NotificationRow = { id: string; kind: string; body: string; path: string; readAt: Instant | null; createdAt: Instant };
