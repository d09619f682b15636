import { quoted } from "#app/domain/text.ts";
import type { NotificationRenderers } from "#app/domain/outbox.ts";
import type { PostMessage } from "#app/domain/posts/schema/outbox.ts";

/** Notifies everyone who can see it of a post that was published or opened. */
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
};
