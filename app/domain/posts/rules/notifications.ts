import { quoted } from "#app/domain/text.ts";
import { OTHERS_COUNT } from "#app/domain/outbox.ts";
import type { NotificationRenderers } from "#app/domain/outbox.ts";
import type { PostMessage } from "#app/domain/posts/schema/outbox.ts";

/**
 * Notifies everyone who can see it of a post that was published or opened, and its author of likes,
 * grouped by post.
 */
export const postNotifications: NotificationRenderers<PostMessage> = {
  "post.published": ({ type: kind, postId, postTitle, authorName }) => ({
    postId,
    kind,
    body: `${authorName} publicou ${quoted(postTitle)}.`,
  }),
  "post.opened": ({ type: kind, postId, postTitle, authorName }) => ({
    postId,
    kind,
    body: `${authorName} abriu ${quoted(postTitle)} para você.`,
  }),
  // The newsletters module writes each reader's email when it is sent.
  "post.mailed": () => [],
  "post.liked": ({ type: kind, postId, postTitle, authorId, likerId, likerName }) => [
    {
      personId: authorId,
      kind,
      body: `${likerName} curtiu ${quoted(postTitle)}.`,
      path: `/post/${postId}`,
      mail: null,
      mutablePostId: postId,
      fromId: likerId,
      group: {
        key: `post:${postId}:liked`,
        actorId: likerId,
        actorName: likerName,
        two: `${likerName} e mais 1 pessoa curtiram ${quoted(postTitle)}.`,
        many: `${likerName} e mais ${OTHERS_COUNT} pessoas curtiram ${quoted(postTitle)}.`,
      },
    },
  ],
};
