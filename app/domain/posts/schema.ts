import { z } from "zod";
import type { Access, AccessRule } from "#app/domain/access/rules.ts";
import { ALT_MAX, optionalImageSchema } from "#app/domain/media/schema.ts";
import type { MediaItem } from "#app/domain/media/schema.ts";
import type { Instant } from "#app/domain/time.ts";

export const TITLE_MAX = 140;
export const TEASER_MAX = 240;
export const CONTENT_MAX = 20_000;
/** More plans than one creator keeps active. */
const PLANS_MAX = 20;

const REQUIRED = "Campo obrigatório";

/** "Quem pode ver". Selling a single post is another door, opened later. */
export const audiences = ["public", "followers", "subscribers", "plans"] as const;
export type Audience = (typeof audiences)[number];

const planIdsSchema = z
  .union([z.string(), z.array(z.string())])
  .default([])
  .transform((ids) => [...new Set(Array.isArray(ids) ? ids : [ids])])
  .refine((ids) => ids.length <= PLANS_MAX, `Escolha até ${PLANS_MAX} planos.`);

/** The form "Publicar". */
export const postFormSchema = z
  .object({
    title: z.string({ error: REQUIRED }).trim().min(1, REQUIRED).max(TITLE_MAX, `Use até ${TITLE_MAX} caracteres.`),
    content: z.string({ error: REQUIRED }).trim().min(1, REQUIRED).max(CONTENT_MAX, "Use até 20.000 caracteres."),
    teaser: z.string().trim().max(TEASER_MAX, `Use até ${TEASER_MAX} caracteres.`).default(""),
    visibility: z.enum(audiences, { error: "Escolha quem pode ver." }),
    planIds: planIdsSchema,
    image: optionalImageSchema,
    imageAlt: z.string().trim().max(ALT_MAX, `Use até ${ALT_MAX} caracteres.`).default(""),
  })
  .refine((post) => post.visibility !== "plans" || post.planIds.length > 0, { error: "Escolha pelo menos um plano.", path: ["planIds"] });

/**
 * The wanted state travels, so that two clicks or a reload never toggle twice. `to` is where to go back to; `inPlace` is said by
 * a page that stays where it is.
 */
export const likeSchema = z.object({
  liked: z.enum(["true", "false"]).default("true").transform((text) => text === "true"),
  to: z.string().optional(),
  inPlace: z.literal("true").optional(),
});

/**
 * A post as one viewer may know it. When `access.visible` is false, `content` is null and of `media` only the face may be
 * shown or asked for; everything else is what a locked card says.
 */
export type Post = {
  id: string;
  title: string;
  teaser: string;
  content: string | null;
  publishedAt: Instant;
  likesCount: number;
  commentsCount: number;
  isLiked: boolean;
  author: { id: string; name: string; username: string; avatarMediaId: string | null };
  rules: AccessRule[];
  /** The plans that its rules name. */
  plans: { id: string; name: string }[];
  media: MediaItem[];
  access: Access;
  isOwn: boolean;
};

/** What a list shows: the beginning of the text in place of all of it. */
export type PostCard = Omit<Post, "content"> & { excerpt: string; isExcerptCut: boolean };
