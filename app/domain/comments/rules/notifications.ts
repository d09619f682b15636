import type { CommentMessage } from "#app/domain/comments/schema/outbox.ts";
import type { NotificationRenderers, NotificationDraft } from "#app/domain/outbox.ts";

/** What is said under a post, to its author, to who is answered and to who is mentioned. */
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
