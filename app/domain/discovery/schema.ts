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

/**
 * The last part of the address of each page of `/explore`: `/explore/imagens`. Everything else that
 * is asked for is in the query.
 */
const PAGE_SLUGS = {
  pessoas: { show: "people", kind: null },
  imagens: { show: "all", kind: "image" },
  videos: { show: "all", kind: "video" },
  audios: { show: "all", kind: "audio" },
  pdfs: { show: "all", kind: "document" },
  textos: { show: "all", kind: "text" },
} as const satisfies Record<string, { show: "all" | "people"; kind: PostKind | null }>;
type PageSlug = keyof typeof PAGE_SLUGS;
const pageSlugs = Object.keys(PAGE_SLUGS) as PageSlug[];

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

/** The addresses of all pages of `/explore` but the first. */
export const EXPLORE_PATHS: readonly string[] = pageSlugs.map((slug) => `/explore/${slug}`);

/** Returns the path of the page that shows this kind of post or people, without its query. */
export function explorePath({ kind, show }: Pick<ExploreFilter, "kind" | "show">): string {
  const slug = pageSlugs.find((name) =>
    show === "people" ? PAGE_SLUGS[name].show === "people" : PAGE_SLUGS[name].kind === kind,
  );
  return slug === undefined || (show !== "people" && kind === null)
    ? "/explore"
    : `/explore/${slug}`;
}

/** Names the page: "Imagens", "Pessoas", or "Publicações" for the first one. */
export function explorePageLabel({ kind, show }: Pick<ExploreFilter, "kind" | "show">): string {
  if (show === "people") return "Pessoas";
  return kind === null ? "Publicações" : POST_KIND_LABELS[kind];
}

/**
 * Reads the address of a page of `/explore`. `slug` is its last part, undefined on the first page.
 * Returns null for a page that does not exist, and `movedTo` for an address of former times, which
 * had the kind or the people in its query.
 */
export function readExplore(
  search: URLSearchParams,
  slug: string | undefined,
): { asked: ExploreFilter; movedTo: string | null } | null {
  const ofSlug = slug === undefined ? null : pageSlugs.find((name) => name === slug);
  if (ofSlug === undefined) return null;
  const parsed = exploreSchema.parse(Object.fromEntries(search));
  const page = ofSlug === null ? null : PAGE_SLUGS[ofSlug];
  const asked: ExploreFilter =
    page === null
      ? { ...parsed, ...(parsed.show === "people" ? { kind: null } : {}) }
      : {
          ...parsed,
          kind: page.kind,
          show: page.show === "all" && parsed.show === "posts" ? "posts" : page.show,
        };
  const isFormer = search.has("kind") || search.get("show") === "people";
  return { asked, movedTo: isFormer ? explorePath(asked) + remaining(search) : null };
}

/** The query without what is part of the path. */
function remaining(search: URLSearchParams): string {
  const query = new URLSearchParams(search);
  query.delete("kind");
  if (query.get("show") === "people") query.delete("show");
  const text = query.toString();
  return text === "" ? "" : `?${text}`;
}

/** A found creator, and whether the viewer follows them. */
export type FoundCreator = PublicProfile & { isFollowing: boolean };

/** `viewerId` is null for a visitor. */
export type ExploreRequest = ExploreFilter & { viewerId: string | null };
