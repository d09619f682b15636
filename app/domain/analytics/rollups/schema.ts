import { z } from "zod";
import { parseDay } from "#app/domain/time.ts";

/** The day from which days are to be summed again. */
export const rebuildSchema = z.object({
  from: z.string().transform((text, check) => {
    const day = parseDay(text);
    if (day !== null) return day;
    check.addIssue({ code: "custom", message: "Escreva o dia assim: 20/12/2026." });
    return z.NEVER;
  }),
});
