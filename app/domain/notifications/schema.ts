import type { OutboxMessage } from "#app/domain/outbox.server.ts";
import type { Instant } from "#app/domain/time.ts";

/** One person to tell, in the product's words; `path` is where it leads. */
export type Told = {
  /** Null for somebody who has no account, who is told by mail only. */
  personId: string | null;
  /** Where the mail goes when it is not the person's own e-mail. */
  email?: string;
  kind: OutboxMessage["type"];
  body: string;
  path: string;
  mail: { subject: string; body: string } | null;
};

export type NotificationRow = {
  id: string;
  kind: string;
  body: string;
  path: string;
  readAt: Instant | null;
  createdAt: Instant;
};
