import { z } from "zod";
import { ALT_MAX } from "#app/domain/media/rules/limits.ts";
import { optionalImageSchema, pickedMediaFields } from "#app/domain/media/schema.ts";
import type { Cents } from "#app/domain/money.ts";
import { priceSchema } from "#app/domain/plans/schema.ts";
import { cleanText, hasVisibleText } from "#app/domain/text.ts";
import { CONTENT_MAX, MAIL_AUDIENCES, TEASER_MAX, TITLE_MAX } from "#app/domain/posts/schema.ts";
import { lineSchema } from "./line.ts";
import { civilMomentSchema } from "./moment.ts";
import { parsePollForm, pollProblem, pollShape } from "./polls.ts";

const REQUIRED = "Campo obrigatório";
/** More plans than one creator has active. */
const PLANS_MAX = 20;

/** Every collection of a page is offered. */
const COLLECTIONS_OFFERED = 100;

/** The ways into a post. Each one is sufficient. */
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
/** A union would report one error message for both parts. */
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
 * Identifies the post of a composer. The empty form creates the id, so that sending twice writes
 * one post. `tab` identifies the open composer. A form without them writes a new post.
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
  /** The composer was opened from the first steps. */
  first: z.literal("true").optional().catch(undefined),
};

/**
 * A too long text is refused before it is cleaned, so that a megabyte costs no work. A line's end
 * is one character, as the writer's counter says, and not two as a form sends it.
 */
const contentSchema = z
  .string()
  .transform((text) => text.replaceAll("\r\n", "\n"))
  .pipe(z.string().max(CONTENT_MAX, "Use até 20.000 caracteres."))
  .transform(cleanText);

const textsShape = {
  title: lineSchema(TITLE_MAX).default(""),
  content: contentSchema.default(""),
  teaser: lineSchema(TEASER_MAX).default(""),
  mailTo: z.enum(MAIL_AUDIENCES, { error: "Escolha uma das opções." }).default("nobody"),
  isSensitive: z
    .literal("true")
    .optional()
    .transform((value) => value === "true"),
  collectionIds: listSchema.refine(
    (ids) => ids.length <= COLLECTIONS_OFFERED,
    `Escolha até ${COLLECTIONS_OFFERED} coleções.`,
  ),
  ...pickedMediaFields,
  /** Sent by the picker, which knows every file of the post. Without it, only `image` is added. */
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
 * The form of a draft: anything that can be stored. An incomplete price is ignored. `inPlace` is
 * sent by the composer that saves by itself.
 */
export const draftSchema = z.object({
  ...identityShape,
  ...textsShape,
  ...accessShape,
  ...pollShape,
  price: typedPriceSchema.catch(null),
  inPlace: z.literal("true").optional(),
});

/** The form of a choice between two versions: what is typed, and the draft of the other one. */
export const versionSchema = draftSchema.extend({
  copyId: z.string().regex(/^[0-9a-z-]{1,64}$/, "Recarregue a página."),
});

/**
 * The form of a publication: a text, at least one way in, and no way that makes the others
 * pointless.
 */
export const publicationSchema = z
  .object({
    ...identityShape,
    ...textsShape,
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
