import type { CommentMessage } from "#app/domain/comments/schema/outbox.ts";
import { OTHERS_COUNT } from "#app/domain/outbox.ts";
import type { NotificationDraft, NotificationRenderers } from "#app/domain/outbox.ts";
import { quoted } from "#app/domain/text.ts";

/**
 * Notifies the post's author, the author replied to, and mentioned people of a comment. Comments on
 * one post are grouped, and so are replies under one. A mention stands alone, and comes from a
 * muted post too.
 */
export const commentNotifications: NotificationRenderers<CommentMessage> = {
  "post.commented": (message) => [
    grouped(message, message.authorId, {
      did: "comentou",
      button: "Ver o comentário",
      others: ["comentário novo", "comentários novos"],
    }),
  ],
  "comment.replied": (message) => [
    grouped(message, message.personId, {
      did: "respondeu ao seu comentário",
      button: "Ver a resposta",
      others: ["resposta nova", "respostas novas"],
    }),
  ],
  "comment.mentioned": (message) => [
    draftOf(message, message.personId, { did: "mencionou você", button: "Ver o comentário" }),
  ],
};

type Texts = { did: string; button: string };

function draftOf(
  message: CommentMessage,
  personId: string,
  { did, button }: Texts,
): NotificationDraft {
  const what = `${message.commenterName} ${did} em ${quoted(message.postTitle)}`;
  return {
    personId,
    kind: message.type,
    body: `${what}.`,
    path: `/post/${message.postId}/comments/${message.commentId}`,
    mail: { subject: what, body: `${what}.`, button },
    ...(message.commenterId === "" ? {} : { fromId: message.commenterId }),
  };
}

/** A message of earlier versions does not say who wrote the comment, and stands alone. */
function grouped(
  message: CommentMessage,
  personId: string,
  { others: [one, many], ...texts }: Texts & { others: readonly [string, string] },
): NotificationDraft {
  const { type, postId, commenterId, commenterName } = message;
  const draft = { ...draftOf(message, personId, texts), mutablePostId: postId };
  if (commenterId === "") return draft;
  const what = `${commenterName} ${texts.did} em ${quoted(message.postTitle)}`;
  return {
    ...draft,
    group: {
      key: `post:${postId}:${type === "post.commented" ? "commented" : "replied"}`,
      actorId: commenterId,
      actorName: commenterName,
      two: `${what}, e há mais 1 ${one}.`,
      many: `${what}, e há mais ${OTHERS_COUNT} ${many}.`,
    },
  };
}
