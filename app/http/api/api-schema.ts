import { z } from "zod";
import { signInSchema } from "#app/domain/identity/schema.ts";
import { registrationDetailsSchema } from "#app/domain/identity/registration/schema/registration.ts";

/** The schemas of `/api/v1`, field by field as in the product's specification, section 3. */

const addressSchema = z.string().describe("An absolute URL, or empty.");

const mediaItemSchema = z.object({
  id: z.string(),
  mediaType: z.string().describe("Such as image/webp."),
  url: addressSchema.describe("Empty when the post is blocked."),
});

const postUserSchema = z.object({
  id: z.string(),
  name: z.string(),
  username: z.string(),
  avatarUrl: addressSchema,
});

export const apiPostSchema = z.object({
  id: z.string(),
  title: z.string(),
  content: z.string().describe("The teaser when the post is blocked."),
  user: postUserSchema,
  typeVisibility: z.enum(["public", "followers", "subscribers", "plans", "paid"]),
  isLiked: z.boolean(),
  likesCount: z.int().min(0),
  commentsCount: z.int().min(0),
  createdAt: z.iso.datetime(),
  blocked: z.boolean().describe("True when whoever asks may not see the content."),
  media: z.array(mediaItemSchema),
  plans: z.array(z.object({ id: z.string(), name: z.string() })),
});
export type ApiPost = z.infer<typeof apiPostSchema>;

export const apiProfileSchema = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string().describe("Filled only for the person themselves."),
  avatarUrl: addressSchema,
  username: z.string(),
  followersCount: z.int().min(0),
  postsCount: z.int().min(0),
  bio: z.string(),
  bannerUrl: addressSchema,
  isFollowing: z.boolean(),
});
export type ApiProfile = z.infer<typeof apiProfileSchema>;

export const LIMIT_DEFAULT = 10;
export const LIMIT_MAX = 50;

const paginationSchema = z.object({
  limit: z.int().min(1).max(LIMIT_MAX),
  page: z.int().min(1),
  totalItems: z.int().min(0),
});

export const postListSchema = z.object({
  items: z.array(apiPostSchema),
  pagination: paginationSchema,
});
export type PostList = z.infer<typeof postListSchema>;

export const apiCollectionSchema = z.object({
  id: z.string(),
  title: z.string(),
  description: z.string(),
  user: postUserSchema,
  coverUrl: addressSchema.describe(
    "Empty without a cover; of a closed collection a face of at most 24 pixels.",
  ),
  priceCents: z.int().nullable().describe("In centavos; null when it is not sold as one."),
  items: z.array(apiPostSchema).describe("Published posts, in the order of the collection."),
  pagination: paginationSchema,
});
export type ApiCollection = z.infer<typeof apiCollectionSchema>;

export const registrationSchema = z.object({ isRegistered: z.boolean() });
export const tokenSchema = z.object({
  token: z.string(),
  tokenType: z.literal("Bearer"),
  expiresAt: z.iso.datetime(),
});
export const apiErrorSchema = z.object({
  error: z.string(),
  field: z.string().optional().describe("The input that a 400 or 409 is about."),
});

export const registerBodySchema = registrationDetailsSchema;
export const tokenBodySchema = signInSchema;

const wholeNumber = (message: string) =>
  z
    .string()
    .regex(/^\d{1,9}$/, message)
    .transform(Number);

/** `?page&limit`: from 1, by default 10 and at most 50 items, and never past `deepestItem`. */
export function pageQuerySchema(deepestItem: number) {
  const limitMessage = `use um número inteiro de 1 a ${LIMIT_MAX}`;
  return z
    .object({
      page: wholeNumber("use um número inteiro a partir de 1")
        .default(1)
        .refine((page) => page >= 1, "use um número inteiro a partir de 1"),
      limit: wholeNumber(limitMessage)
        .default(LIMIT_DEFAULT)
        .refine((limit) => limit >= 1 && limit <= LIMIT_MAX, limitMessage),
    })
    .refine(({ page, limit }) => page * limit <= deepestItem, {
      path: ["page"],
      error: `a lista vai até o item ${deepestItem}`,
    });
}
