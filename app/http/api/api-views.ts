import type { CollectionListing } from "#app/domain/collections/queries/listing.server.ts";
import type { Context } from "#app/domain/context.ts";
import type { Member } from "#app/domain/identity/schema.ts";
import { mediaUrl } from "#app/domain/media/rules.ts";
import type { MediaVariant } from "#app/domain/media/schema.ts";
import { typeVisibilityOf } from "#app/domain/posts/rules.ts";
import type { Post } from "#app/domain/posts/schema.ts";
import type { ProfileForViewer } from "#app/domain/profiles/schema.ts";
import type { ApiCollection, ApiPost, ApiProfile } from "./api-schema.ts";

/** Formats a post for the API. A locked one has its teaser, and media without addresses. */
export function apiPost(ctx: Context, post: Post): ApiPost {
  const { visible } = post.access;
  return {
    id: post.id,
    title: post.title,
    content: visible ? (post.content ?? "") : post.teaser,
    user: {
      id: post.author.id,
      name: post.author.name,
      username: post.author.username,
      avatarUrl: address(ctx, post.author.avatarMediaId, "320"),
    },
    typeVisibility: typeVisibilityOf(post.rules),
    isLiked: post.isLiked,
    likesCount: post.likesCount,
    commentsCount: post.commentsCount,
    createdAt: new Date(post.publishedAt).toISOString(),
    blocked: !visible,
    media: post.media.map((item) => ({
      id: item.id,
      mediaType: item.contentType,
      url: visible ? address(ctx, item.id, item.kind === "image" ? "1280" : "original") : "",
    })),
    plans: post.plans.map(({ id, name }) => ({ id, name })),
  };
}

/** Formats a page of a collection for the API. */
export function apiCollection(
  ctx: Context,
  { collection, creator, posts, totalItems }: CollectionListing,
  { page, limit }: { page: number; limit: number },
): ApiCollection {
  const { id, title, description, cover, priceCents } = collection;
  return {
    id,
    title,
    description,
    user: {
      id: creator.id,
      name: creator.name,
      username: creator.username,
      avatarUrl: address(ctx, creator.avatarMediaId, "320"),
    },
    coverUrl: address(ctx, cover?.mediaId ?? null, cover?.isOpen ? "1280" : "face"),
    priceCents,
    items: posts.map((post) => apiPost(ctx, post)),
    pagination: { limit, page, totalItems },
  };
}

/** Formats a profile for the API, as `viewer` sees it: the email only in their own. */
export function apiProfile(
  ctx: Context,
  profile: ProfileForViewer,
  viewer: Member | null,
): ApiProfile {
  return {
    id: profile.id,
    name: profile.name,
    email: viewer?.id === profile.id ? viewer.email : "",
    avatarUrl: address(ctx, profile.avatarMediaId, "320"),
    username: profile.username,
    followersCount: profile.followersCount,
    postsCount: profile.postsCount,
    bio: profile.bio,
    bannerUrl: address(ctx, profile.bannerMediaId, "1280"),
    isFollowing: profile.isFollowing,
  };
}

/** Absolute, because API clients are on other sites. */
function address(ctx: Context, mediaId: string | null, variant: MediaVariant): string {
  return mediaId === null ? "" : ctx.settings.appOrigin + mediaUrl(mediaId, variant);
}
