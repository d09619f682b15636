import { z } from "zod";
import type { MessageOf } from "#app/domain/outbox.ts";

const aboutReply = z.object({
  commentId: z.string(),
  postId: z.string(),
  postTitle: z.string(),
  personId: z.string(),
  commenterName: z.string(),
  commenterId: z.string().default(""),
});

export const commentMessages = {
  "post.commented": z.object({
    commentId: z.string(),
    postId: z.string(),
    postTitle: z.string(),
    authorId: z.string(),
    commenterName: z.string(),
    commenterId: z.string().default(""),
  }),
  "comment.replied": aboutReply,
  "comment.mentioned": aboutReply,
};

export type CommentMessage = MessageOf<typeof commentMessages>;
