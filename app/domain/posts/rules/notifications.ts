import type { NotificationRenderers } from "#app/domain/outbox.ts";
import type { PostMessage } from "#app/domain/posts/schema/outbox.ts";

/** A post that came out or opened, to everyone who may see it. */
export const postNotifications: NotificationRenderers<PostMessage> = {
  "post.published": ({ type: kind, postId, postTitle, authorName }) => ({
    postId,
    kind,
    body: `${authorName} publicou “${postTitle}”.`,
  }),
  "post.opened": ({ type: kind, postId, postTitle, authorName }) => ({
    postId,
    kind,
    body: `${authorName} abriu “${postTitle}” para você.`,
  }),
};
