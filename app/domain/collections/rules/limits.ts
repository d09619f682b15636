/** Enforced by a trigger as well (drizzle/migrations, "collections"). */
export const COLLECTION_POSTS_MAX = 500;

/** How many posts can be added to a collection at once. */
export const IMPORT_MAX = 100;

/** The filters of posts to add to a collection. */
export const importKinds = ["text", "image", "video", "audio", "document"] as const;

export const importStates = ["published", "unpublished"] as const;
