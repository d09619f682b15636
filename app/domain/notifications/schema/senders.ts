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
