import { z } from "zod";
import { cleanCommentBody } from "./rules.ts";
import type { CommentActions } from "./rules.ts";
import type { Instant } from "#app/domain/time.ts";

export const COMMENT_MAX = 2_000;

const bodySchema = z
  .string({ error: "Escreva o seu comentário." })
  .transform(cleanCommentBody)
  .pipe(
    z.string().min(1, "Escreva o seu comentário.").max(COMMENT_MAX, "Use até 2.000 caracteres."),
  );

/**
 * The form "Comentar"; with `parentId`, "Responder". `inPlace` is sent by a page that stays where
 * it is.
 */
export const commentSchema = z.object({
  body: bodySchema,
  parentId: z.string().max(64).optional(),
  inPlace: z.literal("true").optional(),
});

/** The form "Editar comentário". */
export const commentEditSchema = z.object({
  body: bodySchema,
  inPlace: z.literal("true").optional(),
});

const commentActions = ["remove", "restore", "hide", "show", "pin", "unpin"] as const;
export type CommentAction = (typeof commentActions)[number];

/**
 * A button of one comment. The form sends the wanted state, so that two clicks or a reload never
 * toggle twice.
 */
export const commentActionSchema = z.object({
  act: z.enum(commentActions),
  to: z.string().optional(),
  inPlace: z.literal("true").optional(),
});

/** The form "Fechar comentários", and its undoing. */
export const commentsClosingSchema = z.object({
  closed: z.enum(["true", "false"]).transform((text) => text === "true"),
});

type CommentAuthor = {
  id: string;
  name: string;
  username: string;
  avatarMediaId: string | null;
};

/**
 * `there`, or the remains of a comment: a removed or hidden one with replies stays, without text
 * and author.
 */
type CommentState = "there" | "removed" | "hidden";

export type Comment = {
  id: string;
  state: CommentState;
  /** Empty unless the viewer can read it. */
  body: string;
  mentions: string[];
  createdAt: Instant;
  isEdited: boolean;
  isPinned: boolean;
  /** Hidden by a moderation decision. */
  isHeld: boolean;
  author: CommentAuthor | null;
  /** Written by the post's owner. */
  isByHost: boolean;
  isOwn: boolean;
  isLiked: boolean;
  likesCount: number;
  may: CommentActions;
};

/** A comment with its first replies, oldest first. `repliesCount` shows whether there are more. */
export type CommentThread = Comment & { repliesCount: number; replies: Comment[] };
