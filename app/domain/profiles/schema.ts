import { isLinkSlug, LINK_MARK } from "#app/lib/link-mark.ts";
import type { HeldSubscription } from "#app/domain/access/rules/plan-way.ts";
import { z } from "zod";
import { nameSchema, usernameSchema } from "#app/domain/identity/schema.ts";
import { cleanLine, cleanText, hasVisibleText } from "#app/domain/text.ts";
import {
  LINKS_MAX,
  linkProblem,
  profileLink,
  parseLinkRows,
} from "#app/domain/profiles/rules/links.ts";
import type { ProfileLink } from "#app/domain/profiles/rules/links.ts";
import {
  BIO_MAX,
  CRAFT_MAX,
  CITY_MAX,
  creatorCategories,
} from "#app/domain/profiles/rules/categories.ts";

const REQUIRED = "Campo obrigatório";
const short = (max: number, clean: (typed: string) => string) =>
  z
    .string()
    .default("")
    .transform(clean)
    .pipe(z.string().trim().max(max, `Use até ${max} caracteres.`));

export const profileSchema = z.object({
  name: nameSchema,
  bio: short(BIO_MAX, cleanText),
  craft: short(CRAFT_MAX, cleanLine),
  city: short(CITY_MAX, cleanLine),
  /** Left out, nothing changes. Empty means no category. */
  category: z.union([z.literal(""), z.enum(creatorCategories)]).optional(),
});

/**
 * The form "Abrir minha página". A text about the page is required: a page without one keeps no
 * visitors.
 */
export const spaceSchema = profileSchema.extend({
  bio: z
    .string({ error: REQUIRED })
    .transform(cleanText)
    .pipe(
      z
        .string()
        .trim()
        .refine(hasVisibleText, REQUIRED)
        .max(BIO_MAX, `Use até ${BIO_MAX} caracteres.`),
    ),
  craft: z
    .string({ error: REQUIRED })
    .transform(cleanLine)
    .pipe(z.string().min(1, REQUIRED).max(CRAFT_MAX, `Use até ${CRAFT_MAX} caracteres.`)),
});

const oneOrMany = z
  .union([z.string(), z.array(z.string())])
  .default([])
  .transform((values) => (Array.isArray(values) ? values : [values]));

/** The links of the form, which sends a title and a URL a row. */
const linksFields = { linkTitles: oneOrMany, linkUrls: oneOrMany };

/**
 * No form has this field where adult spaces are off, which they are
 * (app/configuration/configuration.ts). A request with it was forged.
 */
const adultField = { isAdult: z.unknown().optional() };
const ADULT_OFF = "Páginas para maiores de 18 anos não existem no Coreto. Nada foi mudado.";

type LinksTyped = { linkTitles: string[]; linkUrls: string[]; isAdult?: unknown };

function judgeSettings(typed: LinksTyped, issues: z.core.$RefinementCtx): void {
  if (typed.isAdult !== undefined)
    issues.addIssue({ code: "custom", path: [], message: ADULT_OFF });
  const rows = parseLinkRows(typed);
  if (rows.length > LINKS_MAX)
    issues.addIssue({ code: "custom", path: ["links"], message: `Use até ${LINKS_MAX} links.` });
  for (const row of rows) {
    const problem = linkProblem(row);
    if (problem !== null)
      issues.addIssue({ code: "custom", path: [`link-${row.row}`], message: problem });
  }
}

/** Workerd parses an empty file input as an empty text. */
const optionalImage = z.union([z.literal("").transform(() => undefined), z.file()]).optional();
const images = { avatar: optionalImage, banner: optionalImage };

/** One screen of the first steps each: a photo, a banner, and what the page is about. */
export const avatarStepSchema = z.object({ avatar: z.file({ error: "Escolha uma foto." }) });
export const bannerStepSchema = z.object({ banner: z.file({ error: "Escolha uma capa." }) });
export const bioStepSchema = spaceSchema.pick({ craft: true, category: true, bio: true });

const settled = <Fields extends LinksTyped>({ linkTitles, linkUrls, ...profile }: Fields) => ({
  ...profile,
  links: parseLinkRows({ linkTitles, linkUrls }).map(profileLink),
});
/** The settings form "Perfil": the texts of the page, and its owner's links. */
export const profileSettingsSchema = profileSchema
  .extend({ ...images, ...linksFields, ...adultField })
  .superRefine(judgeSettings)
  .transform(settled);
export const spaceSettingsSchema = spaceSchema
  .extend({ ...images, ...linksFields, ...adultField })
  .superRefine(judgeSettings)
  .transform(settled);

/** The account form "Perfil": names as in Clerk's widget, and a picture. Spec section 5. */
export const accountProfileSchema = z.object({
  firstName: nameSchema,
  lastName: z.union([z.literal(""), nameSchema]).default(""),
  avatar: optionalImage,
});

export const newUsernameSchema = z.object({ username: usernameSchema });

export type ProfileInput = z.infer<typeof profileSchema>;

/**
 * The form sends the wanted state, so that two clicks or a reload never toggle twice. A plain
 * "Seguir" sends nothing else. `to` is the path to return to. `inPlace` is sent by a page that
 * stays where it is.
 */
export const followSchema = z.object({
  following: z
    .enum(["true", "false"])
    .default("true")
    .transform((text) => text === "true"),
  to: z.string().optional(),
  inPlace: z.literal("true").optional(),
  /** The creator's link that led here; anything else is none. */
  [LINK_MARK]: z.string().refine(isLinkSlug).nullable().catch(null),
});

const wanted = z
  .enum(["true", "false"])
  .default("true")
  .transform((text) => text === "true");

/**
 * "Silenciar" and "Bloquear", and undoing either. The form sends the wanted state, as with
 * "Seguir".
 */
export const muteSchema = z.object({ muted: wanted, to: z.string().optional() });
export const firstStepsSchema = z.object({ closed: wanted });
export const blockSchema = z.object({ blocked: wanted, to: z.string().optional() });

/** The stored copies of public pages, by the tags of `page_changes`. */
export type PageCache = {
  /** Makes the copies stale at once. Safe to repeat; throws when it is not certain. */
  purge(tags: readonly string[]): Promise<void>;
};

/** A public profile. */
export type PublicProfile = {
  id: string;
  username: string;
  name: string;
  bio: string;
  city: string;
  craft: string;
  /** One of `creatorCategories`, or empty. */
  category: string;
  avatarMediaId: string | null;
  bannerMediaId: string | null;
  links: ProfileLink[];
  isCreator: boolean;
  followersCount: number;
  subscribersCount: number;
  postsCount: number;
  createdAt: number;
};

/**
 * A profile as one viewer sees it. `subscribedPlanId` is the plan of their live subscription,
 * `subscriptionId`.
 */
export type ProfileForViewer = PublicProfile & {
  isFollowing: boolean;
  isMuted: boolean;
  subscribedPlanId: string | null;
  subscriptionId: string | null;
  /** Theirs in whatever live state, also while it gives no access. */
  heldSubscription: HeldSubscription | null;
  isSelf: boolean;
  isForAdults: boolean;
  /** An adult page whose viewer is no verified adult: only the name is shown. */
  isAgeClosed: boolean;
};
