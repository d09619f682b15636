import { isWanted } from "#app/domain/notifications/rules/kinds.ts";
import type {
  NotificationChannel,
  NotificationChoice,
} from "#app/domain/notifications/rules/kinds.ts";
import type { CategorizedNotification } from "#app/domain/outbox.ts";

/** The notifications of one message, with what their recipients chose. */
export type Delivery = {
  outboxId: string;
  drafts: readonly CategorizedNotification[];
  choices: ReadonlyMap<string, NotificationChoice[]>;
};

/** Whether a notification goes out in a channel. Nobody without an account chose anything. */
export const isChosen = (
  choices: Delivery["choices"],
  { personId, about }: CategorizedNotification,
  channel: NotificationChannel,
): boolean => personId === null || isWanted(choices.get(personId) ?? [], about, channel);
