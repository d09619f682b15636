import { z } from "zod";
import type { Access, AccessRule } from "#app/domain/access/rules.ts";
import type { MediaItem } from "#app/domain/media/schema.ts";
import type { Instant } from "#app/domain/time.ts";

export const TITLE_MAX = 140;
export const TEASER_MAX = 240;
export const CONTENT_MAX = 20_000;
/** "Quem pode ver", for whoever has no composer. */
const audiences = ["public", "followers", "subscribers", "plans"] as const;
export type PostAudience = (typeof audiences)[number];

/**
 * The wanted state travels, so that two clicks or a reload never toggle twice. `to` is where to go
 * back to; `inPlace` is said by a page that stays where it is.
 */
export const likeSchema = z.object({
  liked: z
    .enum(["true", "false"])
    .default("true")
    .transform((text) => text === "true"),
  to: z.string().optional(),
  inPlace: z.literal("true").optional(),
});

/**
 * A post as one viewer may know it. When `access.visible` is false, `benchContent` is null and of
 * `media` only the face may be shown or asked for; everything else is what a locked card says.
 */
export type Post = {
  id: string;
  title: string;
  teaser: string;
  /** Markdown, as it was written; only rules/markdown.ts makes HTML of it. */
  content: string | null;
  publishedAt: Instant;
  /** Null while it is as it was published. */
  editedAt: Instant | null;
  isPinned: boolean;
  /** Its pictures wait behind a click. */
  isSensitive: boolean;
  /** Its author sees it in every state. */
  state: "draft" | "scheduled" | "published";
  likesCount: number;
  commentsCount: number;
  /** Nobody may comment any more; what was said stays. */
  areCommentsClosed: boolean;
  isLiked: boolean;
  author: { id: string; name: string; username: string; avatarMediaId: string | null };
  rules: AccessRule[];
  /** The plans that its rules name. */
  plans: { id: string; name: string }[];
  media: MediaItem[];
  /** What a card says of its poll; null without one, and while the post is closed. */
  poll: PollSummary | null;
  access: Access;
  isOwn: boolean;
  /**
   * Who of the author's team published it, for the author and the team only; null when the author
   * did.
   */
  publishedBy: string | null;
};

/** How many voted is said once a poll closed: before, only under the post, to whom it concerns. */
export type PollSummary = { closesAt: Instant | null; votersCount: number | null };

/** What a list shows: the beginning of the text in place of all of it. */
export type PostPreview = Omit<Post, "content"> & { excerpt: string; isExcerptCut: boolean };
