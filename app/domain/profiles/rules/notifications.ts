import { OTHERS_COUNT } from "#app/domain/outbox.ts";
import type { NotificationRenderers } from "#app/domain/outbox.ts";
import type { ProfileMessage } from "#app/domain/profiles/schema/outbox.ts";

/** Notifies a creator of new followers, grouped. It leads to the page of the last one. */
export const profileNotifications: NotificationRenderers<ProfileMessage> = {
  "profile.followed": ({ type: kind, creatorId, followerId, followerName }) => [
    {
      personId: creatorId,
      kind,
      body: `${followerName} começou a seguir você.`,
      path: `/space/${followerId}`,
      mail: null,
      fromId: followerId,
      group: {
        key: "followed",
        actorId: followerId,
        actorName: followerName,
        two: `${followerName} e mais 1 pessoa começaram a seguir você.`,
        many: `${followerName} e mais ${OTHERS_COUNT} pessoas começaram a seguir você.`,
      },
    },
  ],
};
