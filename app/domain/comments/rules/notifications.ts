import type { CommentMessage } from "#app/domain/comments/schema/outbox.ts";
import type { NotificationRenderers, NotificationDraft } from "#app/domain/outbox.ts";

/** Notifies the post's author, the author replied to, and mentioned people of a comment. */
export const commentNotifications: NotificationRenderers<CommentMessage> = {
  "post.commented": (message) => [told(message)],
  "comment.replied": (message) => [told(message)],
  "comment.mentioned": (message) => [told(message)],
};

function told(message: CommentMessage): NotificationDraft {
  const did = {
    "post.commented": "comentou",
    "comment.replied": "respondeu ao seu comentário",
    "comment.mentioned": "mencionou você",
  }[message.type];
  return {
    personId: message.type === "post.commented" ? message.authorId : message.personId,
    kind: message.type,
    body: `${message.commenterName} ${did} em ${message.postTitle}.`,
    path: `/post/${message.postId}/comments/${message.commentId}`,
    mail: null,
  };
}
