import { z } from "zod";
import { daysInMonth } from "#app/domain/time.ts";

/**
 * Parses `31/12/1990`, or the ISO date of a date field, to `1990-12-31`. The date must exist. A
 * phone's number pad has no slash, so `31121990` works too.
 */
export const birthDateSchema = z
  .string({ error: "Informe a data de nascimento" })
  .trim()
  .min(1, "Informe a data de nascimento")
  .transform((text, check) => {
    const typed = typedDate(text);
    const iso = typed && isoDateOf(typed);
    if (iso) return iso;
    check.addIssue({
      code: "custom",
      message:
        typed && Number(typed.year) >= EARLIEST_YEAR
          ? `${[typed.day, typed.month].map((part) => part.padStart(2, "0")).join("/")}/${typed.year} não existe. Confira a data`
          : "Use dia/mês/ano, como 31/12/1990",
    });
    return z.NEVER;
  });

/** Nobody alive was born before. */
const EARLIEST_YEAR = 1900;

type TypedDate = { year: string; month: string; day: string };

/** What looks like a date, whether it exists or not. */
function typedDate(text: string): TypedDate | null {
  const typed =
    /^(\d{1,2})[/. -](\d{1,2})[/. -](\d{4})$/.exec(text) ?? /^(\d{2})(\d{2})(\d{4})$/.exec(text);
  const iso = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  const [year, month, day] = typed
    ? [typed[3], typed[2], typed[1]]
    : iso
      ? [iso[1], iso[2], iso[3]]
      : [];
  return year && month && day ? { year, month, day } : null;
}

function isoDateOf({ year, month, day }: TypedDate): string | null {
  const date = { year: Number(year), month: Number(month), day: Number(day) };
  if (date.year < EARLIEST_YEAR || date.month < 1 || date.month > 12) return null;
  if (date.day < 1 || date.day > daysInMonth(date.year, date.month)) return null;
  return `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
}
