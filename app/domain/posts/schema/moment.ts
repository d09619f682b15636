import { z } from "zod";
import { HOUR_MS, instantOf, MINUTE_MS } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";

/** Parses a `datetime-local` value in São Paulo time, such as `2026-11-27T17:00`. Empty is null. */
export const civilMomentSchema = z
  .string()
  .default("")
  .transform((text, check): Instant | null => {
    if (text.trim() === "") return null;
    const match = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2})(?::\d{2})?$/.exec(text.trim());
    const [year = 0, month = 0, day = 0, hour = 0, minute = 0] = match?.slice(1).map(Number) ?? [];
    const isDate =
      new Date(Date.UTC(year, month - 1, day)).getUTCDate() === day && month >= 1 && month <= 12;
    if (match && isDate && hour < 24 && minute < 60)
      return instantOf({ year, month, day }, hour * HOUR_MS + minute * MINUTE_MS);
    check.addIssue({ code: "custom", message: "Confira a data e a hora." });
    return z.NEVER;
  });
