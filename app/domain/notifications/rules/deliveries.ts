import { isUrgent, isWanted } from "./kinds.ts";
import type { NotificationChannel, NotificationChoice } from "./kinds.ts";
import type { CategorizedNotification } from "#app/domain/outbox.ts";

/** The notifications of one message, with what their recipients chose. */
export type Delivery = {
  outboxId: string;
  drafts: readonly CategorizedNotification[];
  choices: ReadonlyMap<string, NotificationChoice[]>;
  /** Who muted which post, each as `muteKey`. */
  postMutes: ReadonlySet<string>;
};

/** Names a person and a post that they muted. */
export const muteKey = (personId: string, postId: string): string => `${personId}:${postId}`;

/**
 * Whether a notification goes out in a channel. Nobody without an account chose anything, and who
 * muted the post gets nothing of it.
 */
export const isChosen = (
  { choices, postMutes }: Pick<Delivery, "choices" | "postMutes">,
  { personId, about, mutablePostId }: CategorizedNotification,
  channel: NotificationChannel,
): boolean =>
  personId === null ||
  (isWanted(choices.get(personId) ?? [], about, channel) &&
    (mutablePostId === undefined || !postMutes.has(muteKey(personId, mutablePostId))));

/**
 * Whether an email is sent before its message is marked as delivered, so that the message waits for
 * it. The others are deliveries of their own (`notification_deliveries`).
 */
export const isSentAtOnce = ({ personId, about }: CategorizedNotification): boolean =>
  personId === null || isUrgent(about);
