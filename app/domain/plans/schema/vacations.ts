import { z } from "zod";
import type { Instant } from "#app/domain/time.ts";
import { VACATION_DAYS_MIN, VACATION_DAYS_MAX } from "#app/domain/plans/rules/limits.ts";

/** A vacation; it is over only when no subscriber is left to move. */
export type Vacation = {
  id: string;
  creatorId: string;
  startsAt: Instant;
  /** The announced return. */
  endsAt: Instant;
  /** When the creator returned before it. */
  returnedAt: Instant | null;
};

const DAYS = `Escolha de ${VACATION_DAYS_MIN} a ${VACATION_DAYS_MAX} dias`;

/** The length of a vacation from now on, in days. */
export const vacationDaysSchema = z
  .string({ error: DAYS })
  .trim()
  .regex(/^\d{1,2}$/, DAYS)
  .transform(Number)
  .refine((days) => days >= VACATION_DAYS_MIN && days <= VACATION_DAYS_MAX, DAYS);

export const vacationSchema = z.object({ days: vacationDaysSchema });
