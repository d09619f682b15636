import { z } from "zod";
import type { Cents } from "#app/domain/money.ts";
import { chosenMethodSchema } from "#app/domain/payments/schema/forms.ts";
import type { ChosenMethod } from "#app/domain/payments/rules/choices.ts";
import type { ProviderPixMandate } from "#app/domain/payments/schema.ts";
import type { Interval } from "#app/domain/plans/rules/intervals.ts";
import type { Instant } from "#app/domain/time.ts";

/** The value that a checkout form sends for Pix Automático. */
export const PIX_MANDATE_CHOICE = "automatic";

export type PlanMethod = ChosenMethod & {
  /** Its renewals are debited by a Pix mandate. */ isAutomatic: boolean;
};

/** The method choice of a plan's checkout: what `chosenMethodSchema` accepts, or Pix Automático. */
export const planMethodSchema = z
  .string({ error: "Escolha uma das opções." })
  .transform((choice) => ({
    isAutomatic: choice === PIX_MANDATE_CHOICE,
    choice: choice === PIX_MANDATE_CHOICE ? "pix" : choice,
  }))
  .pipe(z.object({ isAutomatic: z.boolean(), choice: chosenMethodSchema }))
  .transform(({ isAutomatic, choice }): PlanMethod => ({ ...choice, isAutomatic }));

export type PixMandateStatus = ProviderPixMandate["status"];

/**
 * A Pix mandate (Pix Automático). Amounts in centavos; `startsOn` is a São Paulo day as
 * `YYYY-MM-DD`.
 */
export type PixMandate = {
  id: string;
  subscriptionId: string;
  payerId: string;
  provider: string;
  providerRecurringPixId: string | null;
  interval: Interval;
  /** Each debit's amount; null when it varies between `leastCents` and `ceilingCents`. */
  amountCents: Cents | null;
  ceilingCents: Cents;
  leastCents: Cents;
  startsOn: string;
  firstChargeId: string;
  status: PixMandateStatus;
  expiresAt: Instant;
  attachedAt: Instant | null;
  endingAt: Instant | null;
  endedAt: Instant | null;
  askedAt: Instant;
  createdAt: Instant;
};

/** The mandate that renewals are debited from, without the fields of its creation. */
export type ActivePixMandate = Omit<
  PixMandate,
  "subscriptionId" | "payerId" | "firstChargeId" | "expiresAt" | "askedAt" | "createdAt"
>;
