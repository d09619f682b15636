import type { OutboxMessage } from "#app/domain/outbox.server.ts";
import type { Instant } from "#app/domain/time.ts";

/** A mail as the product writes it. `key` makes it once, however often it is handed over. */
type Mail = { key: string; to: string; subject: string; body: string };

export type Mailer = { send(mail: Mail): Promise<void> };

/** A text message to a phone in E.164. `key` makes it once, however often it is handed over. */
type TextMessage = { key: string; to: string; body: string };

export type SmsSender = { send(text: TextMessage): Promise<void> };

/**
 * Open pages that wait for something. A `topic` names it; the news says only that it changed, never
 * what, and the page asks again by its own right.
 */
export type LiveNews = {
  /** Tells whoever listens now. Never fails: who hears nothing asks by themselves. */
  changed(topic: string): Promise<void>;
  /**
   * Where a page listens to `topic`, until `until` (wall clock, epoch ms). Give it only to who may
   * know of the topic.
   */
  address(topic: string, until: Instant): Promise<string>;
};

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
