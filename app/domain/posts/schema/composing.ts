import { z } from "zod";
import { ALT_MAX, optionalImageSchema, pickedMediaFields } from "#app/domain/media/schema.ts";
import type { Cents } from "#app/domain/money.ts";
import { priceSchema } from "#app/domain/plans/schema.ts";
import { cleanText, hasVisibleText } from "#app/domain/text.ts";
import { CONTENT_MAX, TEASER_MAX, TITLE_MAX } from "#app/domain/posts/schema.ts";
import { lineSchema } from "./line.ts";
import { civilMomentSchema } from "./moment.ts";
import { parsePollForm, pollProblem, pollShape } from "./polls.ts";

const REQUIRED = "Campo obrigatório";
/** More plans than one creator keeps active. */
const PLANS_MAX = 20;

/** Every collection of a page is offered. */
const COLLECTIONS_OFFERED = 100;

/** The ways into a post, each by itself enough. */
const accessWays = ["public", "followers", "subscribers", "plans", "price"] as const;
export type AccessWay = (typeof accessWays)[number];

const listSchema = z
  .union([z.string(), z.array(z.string())])
  .default([])
  .transform((values) => [...new Set(Array.isArray(values) ? values : [values])]);

const planIdsSchema = listSchema.refine(
  (ids) => ids.length <= PLANS_MAX,
  `Escolha até ${PLANS_MAX} planos.`,
);
const waysSchema = listSchema.transform((values) =>
  accessWays.filter((way) => values.includes(way)),
);
/** A union would answer for its parts with a sentence of its own. */
const typedPriceSchema = z
  .string()
  .default("")
  .transform((text, check): Cents | null => {
    if (text.trim() === "") return null;
    const price = priceSchema.safeParse(text);
    if (price.success) return price.data;
    for (const { message } of price.error.issues) check.addIssue({ code: "custom", message });
    return z.NEVER;
  });

/**
 * Which post a composer writes: its id is made with the empty form, so that sending twice writes
 * one. `tab` names the open composer. A form without them writes a new post.
 */
const identityShape = {
  postId: z
    .string()
    .regex(/^[0-9a-z-]{1,64}$/, "Recarregue a página.")
    .optional(),
  version: z.coerce.number().int().min(0).default(0),
  tab: z
    .string()
    .regex(/^[0-9a-z-]{1,64}$/, "Recarregue a página.")
    .optional(),
};

/**
 * A text longer than this in writing is refused as it came, so that cleaning a megabyte is nobody's
 * work.
 */
const contentSchema = z
  .string()
  .max(CONTENT_MAX, "Use até 20.000 caracteres.")
  .transform(cleanText);

const wordsShape = {
  title: lineSchema(TITLE_MAX).default(""),
  content: contentSchema.default(""),
  teaser: lineSchema(TEASER_MAX).default(""),
  isSensitive: z
    .literal("true")
    .optional()
    .transform((value) => value === "true"),
  collectionIds: listSchema.refine(
    (ids) => ids.length <= COLLECTIONS_OFFERED,
    `Escolha até ${COLLECTIONS_OFFERED} coleções.`,
  ),
  ...pickedMediaFields,
  /** Said by the picker that knows every file of the post; without it, `image` alone is added. */
  hasPicker: z.literal("true").optional(),
  image: optionalImageSchema,
  imageAlt: z.string().trim().max(ALT_MAX, `Use até ${ALT_MAX} caracteres.`).default(""),
  removesImage: z
    .literal("true")
    .optional()
    .transform((value) => value === "true"),
};

const accessShape = {
  ways: waysSchema,
  planIds: planIdsSchema,
  price: typedPriceSchema,
  publicOpensAt: civilMomentSchema,
  followersOpensAt: civilMomentSchema,
  subscribersOpensAt: civilMomentSchema,
  plansOpensAt: civilMomentSchema,
  priceOpensAt: civilMomentSchema,
};

/**
 * What a draft may be: anything that can be kept; a price that is still being typed waits.
 * `inPlace` is said by the composer that saves by itself.
 */
export const draftSchema = z.object({
  ...identityShape,
  ...wordsShape,
  ...accessShape,
  ...pollShape,
  price: typedPriceSchema.catch(null),
  inPlace: z.literal("true").optional(),
});

/**
 * What may be published: words, at least one way in, and no way that makes the others pointless by
 * mistake.
 */
export const publicationSchema = z
  .object({
    ...identityShape,
    ...wordsShape,
    ...accessShape,
    ...pollShape,
    title: lineSchema(TITLE_MAX).refine(Boolean, REQUIRED),
    content: contentSchema.refine(hasVisibleText, REQUIRED),
    publishAt: civilMomentSchema,
  })
  .superRefine((post, check) => {
    const problem = (field: string, message: string) =>
      check.addIssue({ code: "custom", path: [field], message });
    if (post.ways.length === 0) problem("ways", "Escolha quem pode ver.");
    if (post.ways.includes("plans") && post.planIds.length === 0)
      problem("planIds", "Escolha pelo menos um plano.");
    if (post.ways.includes("price") && post.price === null) problem("price", "Informe o preço");
    if (
      post.ways.includes("price") &&
      post.ways.includes("followers") &&
      post.followersOpensAt === null
    ) {
      problem(
        "price",
        "Seguir é de graça: com “Quem segue” marcado, ninguém precisa comprar. Desmarque, ou diga quando abre para quem segue.",
      );
    }
    if (post.ways.includes("public") && post.ways.length > 1 && post.publicOpensAt === null) {
      problem(
        "ways",
        "Aberta a todo mundo, ela já abre para os outros. Desmarque “Todo mundo”, ou diga quando abre para todos.",
      );
    }
    const poll = parsePollForm(post);
    const found = poll && pollProblem(poll);
    if (found) problem(found.field, found.message);
  });

export type AccessChoice = Pick<z.infer<typeof draftSchema>, keyof typeof accessShape>;
