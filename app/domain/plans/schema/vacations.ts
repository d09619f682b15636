import { z } from "zod";
import type { Instant } from "#app/domain/time.ts";

/** A vacation that is not over: nobody is left to move only then. */
export type Vacation = {
  id: string;
  creatorId: string;
  startsAt: Instant;
  /** The return that was announced. */
  endsAt: Instant;
  /** When who creates came back before it. */
  returnedAt: Instant | null;
};

export const VACATION_DAYS_MIN = 7;
export const VACATION_DAYS_MAX = 60;

const DAYS = `Escolha de ${VACATION_DAYS_MIN} a ${VACATION_DAYS_MAX} dias`;

/** How long somebody is away, in days, from now on. */
export const vacationDaysSchema = z
  .string({ error: DAYS })
  .trim()
  .regex(/^\d{1,2}$/, DAYS)
  .transform(Number)
  .refine((days) => days >= VACATION_DAYS_MIN && days <= VACATION_DAYS_MAX, DAYS);

export const vacationSchema = z.object({ days: vacationDaysSchema });
