import type { NotificationRenderers } from "#app/domain/outbox.ts";
import type { ProfileMessage } from "#app/domain/profiles/schema/outbox.ts";

/** Notifies a creator of new followers, grouped. One alone leads to their page. */
export const profileNotifications: NotificationRenderers<ProfileMessage> = {
  "profile.followed": ({ type: kind, creatorId, followerId, followerName, followerUsername }) => [
    {
      personId: creatorId,
      kind,
      body: `${followerName} começou a seguir você.`,
      path: `/space/${followerUsername}`,
      mail: null,
      group: {
        key: "followed",
        actorId: followerId,
        two: `${followerName} e mais 1 pessoa começaram a seguir você.`,
        many: `${followerName} e mais {others} pessoas começaram a seguir você.`,
      },
    },
  ],
};
