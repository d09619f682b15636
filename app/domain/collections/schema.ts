import { z } from "zod";
import { ALT_MAX, optionalImageSchema } from "#app/domain/media/schema.ts";
import type { Cents } from "#app/domain/money.ts";
import { priceSchema } from "#app/domain/plans/schema.ts";
import type { PostPreview } from "#app/domain/posts/schema.ts";
import type { Instant } from "#app/domain/time.ts";

export const COLLECTION_TITLE_MAX = 100;
export const COLLECTION_DESCRIPTION_MAX = 2_000;
/** Held by a trigger as well (drizzle/migrations, "collections"). */
export const COLLECTION_POSTS_MAX = 500;
export const COLLECTIONS_MAX = 100;
/** How many posts are put into a collection at once. */
export const IMPORT_MAX = 100;

const REQUIRED = "Campo obrigatório";
const MISSING = "Recarregue a página e tente de novo.";
const idSchema = z.string({ error: MISSING }).regex(/^[0-9a-z-]{1,64}$/, MISSING);

/** The form of a collection. A blank price is not sold as one. */
export const collectionSchema = z.object({
  title: z
    .string({ error: REQUIRED })
    .trim()
    .min(1, REQUIRED)
    .max(COLLECTION_TITLE_MAX, `Use até ${COLLECTION_TITLE_MAX} caracteres.`),
  description: z
    .string()
    .trim()
    .max(COLLECTION_DESCRIPTION_MAX, "Use até 2.000 caracteres.")
    .default(""),
  price: z
    .preprocess(
      (typed) => (typeof typed === "string" && typed.trim() === "" ? undefined : typed),
      priceSchema.optional(),
    )
    .transform((cents): Cents | null => cents ?? null),
  cover: optionalImageSchema,
  coverAlt: z.string().trim().max(ALT_MAX, `Use até ${ALT_MAX} caracteres.`).default(""),
  removesCover: z
    .literal("true")
    .optional()
    .transform((value) => value === "true"),
});

/**
 * Just before or just after another post: what is meant also when the list has changed since it was
 * looked at.
 */
export type PostMove = { postId: string; side: "before" | "after"; anchorId: string };

/**
 * `move` is `<post>:before:<other post>` or `<post>:after:<other post>`; `inPlace` is said by a
 * page that stays where it is.
 */
export const moveSchema = z.object({
  move: z.string({ error: MISSING }).transform((text, check): PostMove => {
    const match = /^([0-9a-z-]{1,64}):(before|after):([0-9a-z-]{1,64})$/.exec(text);
    const [, postId = "", side, anchorId = ""] = match ?? [];
    if (side === "before" || side === "after") return { postId, side, anchorId };
    check.addIssue({ code: "custom", message: MISSING });
    return z.NEVER;
  }),
  inPlace: z.literal("true").optional(),
});

const chosen = z
  .union([z.string(), z.array(z.string())])
  .default([])
  .transform((ids) => [...new Set(Array.isArray(ids) ? ids : [ids])])
  .pipe(z.array(idSchema));

export const importSchema = z.object({
  postIds: chosen
    .refine((ids) => ids.length > 0, "Escolha pelo menos uma publicação.")
    .refine((ids) => ids.length <= IMPORT_MAX, `Escolha até ${IMPORT_MAX} de cada vez.`),
});

/** The wanted state travels, so that two clicks never toggle twice. `to` is where to go back to. */
export const readingSchema = z.object({
  postId: idSchema,
  isRead: z.enum(["true", "false"]).transform((text) => text === "true"),
  to: z.string().optional(),
  inPlace: z.literal("true").optional(),
});

/** A cover as one viewer may see it: whole with what it shows, or a face that says nothing. */
export type Cover = { mediaId: string; isOpen: boolean; alt: string };

/** A collection as one viewer may know it. */
export type CollectionSummary = {
  id: string;
  title: string;
  description: string;
  /** Published ones. */
  postsCount: number;
  /** Null also while nobody may buy it: it is empty, or its creator may not sell yet. */
  priceCents: Cents | null;
  cover: Cover | null;
};

export type CollectionCreator = {
  id: string;
  name: string;
  username: string;
  avatarMediaId: string | null;
};

/** One published post of a collection, in its order, and when the viewer read it. */
export type OutlineEntry = { postId: string; title: string; readAt: Instant | null };

/** A post inside a collection: its number among the published ones, from 1. */
export type CollectionEntry = { number: number; isRead: boolean; post: PostPreview };

/** How far somebody is: `continueId` is the post to go on with, null when there is none left. */
export type CollectionProgress = {
  total: number;
  read: number;
  percent: number;
  hasBegun: boolean;
  continueId: string | null;
};

/** A collection that holds a post. */
export type HoldingCollection = { collectionId: string; title: string; priceCents: Cents | null };

/** Where a post stands in one collection, for whoever reads it there. */
export type PlaceInCollection = HoldingCollection & {
  number: number;
  total: number;
  isRead: boolean;
  previous: { id: string; title: string } | null;
  next: { id: string; title: string } | null;
};

/** What a collection can be filtered for when posts are put into it. */
export const importKinds = ["text", "image", "video", "audio", "document"] as const;
export type ImportKind = (typeof importKinds)[number];
export const importStates = ["published", "unpublished"] as const;
export type ImportState = (typeof importStates)[number];
