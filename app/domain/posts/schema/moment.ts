import { z } from "zod";
import { parseCivilMoment } from "#app/domain/posts/rules/moment.ts";
import type { Instant } from "#app/domain/time.ts";

/** Parses a `datetime-local` value in São Paulo time, such as `2026-11-27T17:00`. Empty is null. */
export const civilMomentSchema = z
  .string()
  .default("")
  .transform((text, check): Instant | null => {
    const moment = parseCivilMoment(text);
    if (moment !== "invalid") return moment;
    check.addIssue({ code: "custom", message: "Confira a data e a hora." });
    return z.NEVER;
  });
