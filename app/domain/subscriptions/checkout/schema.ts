import { z } from "zod";
import {
  cardTokenSchema,
  REOPEN_PAGE_MESSAGE,
  shownCentsSchema,
} from "#app/domain/payments/schema/forms.ts";
import { typedCodeSchema } from "#app/domain/plans/schema/coupons.ts";
import { planMethodSchema } from "#app/domain/subscriptions/pix-mandates/schema.ts";
import { periodsSchema } from "#app/domain/subscriptions/schema.ts";

/**
 * The checkout form. `cardToken` comes from the provider's own field; empty when the card is typed
 * on the provider's page.
 */
export const checkoutSchema = z.object({
  planPriceId: z.string().regex(/^[0-9a-z-]{1,64}$/, "Escolha um plano"),
  method: planMethodSchema,
  coupon: typedCodeSchema,
  periods: periodsSchema,
  /** The first payment that the page showed. */
  amountCents: shownCentsSchema,
  /** The start, when the page showed a later one. */
  beginsAt: z.coerce
    .number({ error: REOPEN_PAGE_MESSAGE })
    .int(REOPEN_PAGE_MESSAGE)
    .positive(REOPEN_PAGE_MESSAGE)
    .optional(),
  /** The trial days that the page showed; left out when it showed none. */
  trialDays: z
    .string({ error: REOPEN_PAGE_MESSAGE })
    .regex(/^\d{1,2}$/, REOPEN_PAGE_MESSAGE)
    .transform(Number)
    .optional(),
  cardToken: cardTokenSchema,
});
