import { z } from "zod";
import type { Instant } from "#app/domain/time.ts";

export const COMMENT_MAX = 2_000;

/** The form "Comentar". */
export const commentSchema = z.object({
  body: z
    .string({ error: "Escreva o seu comentário." })
    .trim()
    .min(1, "Escreva o seu comentário.")
    .max(COMMENT_MAX, "Use até 2.000 caracteres."),
  /** Said by a page that stays where it is. */
  inPlace: z.literal("true").optional(),
});

export type Comment = {
  id: string;
  body: string;
  createdAt: Instant;
  author: { id: string; name: string; username: string; avatarMediaId: string | null };
};
