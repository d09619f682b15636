import { z } from "zod";
import type { Cents } from "#app/domain/money.ts";
import type { Instant } from "#app/domain/time.ts";

const priceAnswers = ["accepted", "kept"] as const;
export type PriceAnswer = (typeof priceAnswers)[number];

/**
 * What somebody answered to an ask for a new price (centavos), of one subscription; `asked` while
 * they did not.
 */
export type PriceConsent = {
  askId: string;
  fromPlanPriceId: string;
  fromAmountCents: Cents;
  toPlanPriceId: string;
  toAmountCents: Cents;
  /** From which a period that begins costs the new price. */
  takesEffectAt: Instant;
  state: "asked" | PriceAnswer;
  answeredAt: Instant | null;
  appliedAt: Instant | null;
};

/** The form of an answer; `askId` and `amountCents` are those that the page showed. */
export const priceAnswerSchema = z.object({
  answer: z.enum(priceAnswers, { error: "Escolha uma das opções." }),
  askId: z.string().regex(/^[0-9a-z-]{1,64}$/),
});

/** The address of the link in a letter, as its route reads it. */
export const priceLinkSchema = z.object({
  askId: z.string().regex(/^[0-9a-z-]{1,64}$/),
  subscriptionId: z.string().regex(/^[0-9a-z-]{1,64}$/),
  until: z
    .string()
    .regex(/^\d{1,16}$/)
    .transform(Number),
  signature: z.string().max(128),
});
export type PriceLink = z.infer<typeof priceLinkSchema>;

/**
 * The form by which a price is asked for; `amountCents` and `countGenerated` are what the page
 * showed.
 */
export const priceChangeSchema = z.object({ amountCents: z.coerce.number().int() });
