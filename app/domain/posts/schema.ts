import { z } from "zod";
import type { Access, AccessRule } from "#app/domain/access/rules.ts";
import type { MediaItem } from "#app/domain/media/schema.ts";
import type { Instant } from "#app/domain/time.ts";

export const TITLE_MAX = 140;
export const TEASER_MAX = 240;
export const CONTENT_MAX = 20_000;
/** Who gets a post by email when it is published. */
export const MAIL_AUDIENCES = ["nobody", "readers", "subscribers", "everyone"] as const;
export type MailAudience = (typeof MAIL_AUDIENCES)[number];

/** "Quem pode ver", for callers without a composer. */
const audiences = ["public", "followers", "subscribers", "plans"] as const;
export type PostAudience = (typeof audiences)[number];

/**
 * The form sends the wanted state, so that two clicks or a reload never toggle twice. `to` is the
 * path to return to. `inPlace` is sent by a page that stays where it is.
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
 * A post as one viewer sees it. When `access.visible` is false, `content` is null, and of `media`
 * only thumbnails can be shown or requested. The other fields are on the locked card.
 */
export type Post = {
  id: string;
  title: string;
  teaser: string;
  /** Markdown as it was written. Only rules/markdown.ts makes HTML of it. */
  content: string | null;
  publishedAt: Instant;
  /** Null until the published post is edited. */
  editedAt: Instant | null;
  isPinned: boolean;
  /** Its pictures are covered until a click. */
  isSensitive: boolean;
  /** Its author sees it in every state. */
  state: "draft" | "scheduled" | "published";
  likesCount: number;
  commentsCount: number;
  /** Nobody can comment any more. Existing comments stay. */
  areCommentsClosed: boolean;
  isLiked: boolean;
  author: { id: string; name: string; username: string; avatarMediaId: string | null };
  rules: AccessRule[];
  /** The plans that its rules name. */
  plans: { id: string; name: string }[];
  media: MediaItem[];
  /** A card's poll summary; null without a poll, and while the post is locked. */
  poll: PollSummary | null;
  access: Access;
  isOwn: boolean;
  /** The team member who published it, for the author and the team only; null when the author did. */
  publishedBy: string | null;
};

/**
 * `votersCount` is set once a poll closed. Before that, only the post's page shows it, to viewers
 * who can see results.
 */
export type PollSummary = { closesAt: Instant | null; votersCount: number | null };

/** What a list shows: the beginning of the text instead of the whole. */
export type PostPreview = Omit<Post, "content"> & { excerpt: string; isExcerptCut: boolean };
