import { OTHERS_COUNT } from "#app/domain/outbox.ts";
import type { NotificationDraft } from "#app/domain/outbox.ts";

type NewSubscriber = { type: string; creatorId: string; fanId: string; fanName: string };

/**
 * Notifies a creator of a new subscriber, in one row with those who came before. `what` says who
 * subscribed to what, without a full stop.
 */
export const newSubscriberNotification = (
  { type: kind, creatorId, fanId, fanName }: NewSubscriber,
  what: string,
): NotificationDraft => ({
  personId: creatorId,
  kind,
  about: "subscriber",
  body: `${what}.`,
  path: "/me/subscribers",
  mail: { subject: what, body: `${what}.`, button: "Ver quem assina" },
  fromId: fanId,
  group: {
    key: "subscribed",
    actorId: fanId,
    actorName: fanName,
    two: `${fanName} e mais 1 pessoa assinaram a sua página.`,
    many: `${fanName} e mais ${OTHERS_COUNT} pessoas assinaram a sua página.`,
  },
});
