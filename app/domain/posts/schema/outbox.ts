import { z } from "zod";
import type { MessageOf } from "#app/domain/outbox.ts";

const aboutPost = z.object({
  postId: z.string(),
  postTitle: z.string(),
  authorId: z.string(),
  authorName: z.string(),
});

export const postMessages = {
  "post.published": aboutPost,
  "post.opened": aboutPost,
  "post.mailed": aboutPost,
  "post.liked": z.object({
    postId: z.string(),
    postTitle: z.string(),
    authorId: z.string(),
    likerId: z.string(),
    likerName: z.string(),
  }),
};

export type PostMessage = MessageOf<typeof postMessages>;
