import { z } from "zod";
import { creatorCategories } from "#app/domain/profiles/rules/categories.ts";
import type { PublicProfile } from "#app/domain/profiles/schema.ts";

export const QUERY_MAX = 80;

/** Kinds of post by attached media. `text` has none. */
export const postKinds = ["image", "video", "audio", "document", "text"] as const;
export type PostKind = (typeof postKinds)[number];

export const POST_KIND_LABELS: Record<PostKind, string> = {
  image: "Imagens",
  video: "Vídeos",
  audio: "Áudios",
  document: "PDFs",
  text: "Textos",
};

const exploreSorts = ["rising", "new"] as const;

/**
 * The query of `/explore`. Invalid values count as missing, so that a broken link shows the default
 * page.
 */
export const exploreSchema = z.object({
  q: z
    .string()
    .transform((text) => text.trim().slice(0, QUERY_MAX))
    .catch(""),
  category: z.enum(creatorCategories).nullable().catch(null),
  kind: z.enum(postKinds).nullable().catch(null),
  sort: z.enum(exploreSorts).catch("rising"),
  show: z.enum(["all", "people", "posts"]).catch("all"),
  cursor: z.string().nullable().catch(null),
});

export type ExploreFilter = z.infer<typeof exploreSchema>;

/** A found creator, and whether the viewer follows them. */
export type FoundCreator = PublicProfile & { isFollowing: boolean };

/** `viewerId` is null for a visitor. */
export type ExploreRequest = ExploreFilter & { viewerId: string | null };
