import { z } from "zod";
import { nameSchema } from "#app/domain/identity/schema.ts";

export const BIO_MAX = 600;
export const CRAFT_MAX = 60;
export const CITY_MAX = 60;

const REQUIRED = "Campo obrigatório";
const short = (max: number) => z.string().trim().max(max, `Use até ${max} caracteres.`).default("");

export const profileSchema = z.object({
  name: nameSchema,
  bio: short(BIO_MAX),
  craft: short(CRAFT_MAX),
  city: short(CITY_MAX),
});

/** The form "Abrir minha página": a page without a sentence about itself makes nobody stay. */
export const spaceSchema = profileSchema.extend({
  bio: z.string({ error: REQUIRED }).trim().min(1, REQUIRED).max(BIO_MAX, `Use até ${BIO_MAX} caracteres.`),
  craft: z.string({ error: REQUIRED }).trim().min(1, REQUIRED).max(CRAFT_MAX, `Use até ${CRAFT_MAX} caracteres.`),
});

/** workerd reads a file input left empty as an empty text. */
const optionalImage = z.union([z.literal("").transform(() => undefined), z.file()]).optional();
export const profileFormSchema = profileSchema.extend({ avatar: optionalImage, banner: optionalImage });
export const spaceFormSchema = spaceSchema.extend({ avatar: optionalImage, banner: optionalImage });

export type ProfileInput = z.infer<typeof profileSchema>;

/**
 * The wanted state travels, so that two clicks or a reload never toggle twice; a plain "Seguir" says nothing else. `to` is where
 * to go back to; `inPlace` is said by a page that stays where it is.
 */
export const followSchema = z.object({
  following: z.enum(["true", "false"]).default("true").transform((text) => text === "true"),
  to: z.string().optional(),
  inPlace: z.literal("true").optional(),
});

/** A profile as anyone may see it. */
export type PublicProfile = {
  id: string;
  username: string;
  name: string;
  bio: string;
  city: string;
  craft: string;
  avatarMediaId: string | null;
  bannerMediaId: string | null;
  isCreator: boolean;
  followersCount: number;
  subscribersCount: number;
  postsCount: number;
  createdAt: number;
};

/** A profile as one viewer sees it. `subscribedPlanId` is the plan of their live subscription. */
export type ProfileForViewer = PublicProfile & { isFollowing: boolean; subscribedPlanId: string | null; isSelf: boolean };
