import { z } from "zod";
import type { Cents } from "#app/domain/money.ts";
import type { Instant } from "#app/domain/time.ts";

const priceAnswers = ["accepted", "kept"] as const;
export type PriceAnswer = (typeof priceAnswers)[number];

/** The answer of one subscription to a price change (centavos); `asked` while there is none. */
export type PriceConsent = {
  askId: string;
  fromPlanPriceId: string;
  fromAmountCents: Cents;
  toPlanPriceId: string;
  toAmountCents: Cents;
  /** Periods that start from this moment on cost the new price. */
  takesEffectAt: Instant;
  state: "asked" | PriceAnswer;
  answeredAt: Instant | null;
  appliedAt: Instant | null;
};

/** The form of an answer; `askId` is the one that the page showed. */
export const priceAnswerSchema = z.object({
  answer: z.enum(priceAnswers, { error: "Escolha uma das opções." }),
  askId: z.string().regex(/^[0-9a-z-]{1,64}$/),
});

/** The URL of an email link, as its route parses it. */
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

/** The form that proposes a price change; `amountCents` is what the page showed. */
export const priceChangeSchema = z.object({ amountCents: z.coerce.number().int() });
