import { z } from "zod";
import { ALT_MAX } from "#app/domain/media/rules/limits.ts";
import { optionalImageSchema } from "#app/domain/media/schema.ts";
import type { Cents } from "#app/domain/money.ts";
import { priceSchema } from "#app/domain/plans/schema.ts";
import type { PostPreview } from "#app/domain/posts/schema.ts";
import type { Instant } from "#app/domain/time.ts";
import { IMPORT_MAX } from "#app/domain/collections/rules/limits.ts";
import type { importKinds, importStates } from "#app/domain/collections/rules/limits.ts";

export const COLLECTION_TITLE_MAX = 100;
export const COLLECTION_DESCRIPTION_MAX = 2_000;
export const COLLECTIONS_MAX = 100;
const REQUIRED = "Campo obrigatório";
const MISSING = "Recarregue a página e tente de novo.";
const idSchema = z.string({ error: MISSING }).regex(/^[0-9a-z-]{1,64}$/, MISSING);

/** The form of a collection. With a blank price it is not sold as a whole. */
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
 * A move just before or just after another post. It stays valid when the list changed since it was
 * shown.
 */
export type PostMove = { postId: string; side: "before" | "after"; anchorId: string };

/**
 * `move` is `<post>:before:<other post>` or `<post>:after:<other post>`. `inPlace` is sent by a
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

/**
 * The form sends the wanted state, so that two clicks never toggle twice. `to` is the path to
 * return to.
 */
export const readingSchema = z.object({
  postId: idSchema,
  isRead: z.enum(["true", "false"]).transform((text) => text === "true"),
  to: z.string().optional(),
  inPlace: z.literal("true").optional(),
});

/** A cover as one viewer sees it: whole with its description, or a thumbnail without one. */
export type Cover = { mediaId: string; isOpen: boolean; alt: string };

/** A collection as one viewer sees it. */
export type CollectionSummary = {
  id: string;
  title: string;
  description: string;
  /** Published posts only. */
  postsCount: number;
  /** Null also while nobody can buy it: it is empty, or its creator cannot sell yet. */
  priceCents: Cents | null;
  cover: Cover | null;
};

export type CollectionCreator = {
  id: string;
  name: string;
  username: string;
  avatarMediaId: string | null;
};

/** One published post of a collection, in order, and when the viewer read it. */
export type OutlineEntry = { postId: string; title: string; readAt: Instant | null };

/** A post inside a collection: its number among the published ones, from 1. */
export type CollectionEntry = { number: number; isRead: boolean; post: PostPreview };

/** A reader's progress. `continueId` is the post to continue with, null when all are read. */
export type CollectionProgress = {
  total: number;
  read: number;
  percent: number;
  isStarted: boolean;
  continueId: string | null;
};

/** A collection that contains a post. */
export type HoldingCollection = { collectionId: string; title: string; priceCents: Cents | null };

/** A post's position in one collection, for its reader. */
export type PlaceInCollection = HoldingCollection & {
  number: number;
  total: number;
  isRead: boolean;
  previous: { id: string; title: string } | null;
  next: { id: string; title: string } | null;
};

export type ImportKind = (typeof importKinds)[number];
export type ImportState = (typeof importStates)[number];
