import { civilDate, instantOf } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";

export type Month = { /** "2026-11" */ month: string; from: Instant; until: Instant; /** The months beside it; null after the present one. */ before: string; after: string | null };

const WRITTEN = /^(\d{4})-(0[1-9]|1[0-2])$/;
const FIRST_YEAR = 2020;

/** A civil month of São Paulo as written, "2026-11"; the present one where nothing that can be read is written, or a month to come. */
export function monthOf(text: string | null, now: Instant): Month {
  const present = civilDate(now);
  const read = WRITTEN.exec(text ?? "");
  const asked = read ? { year: Number(read[1]), month: Number(read[2]) } : present;
  const isKnown = asked.year >= FIRST_YEAR && (asked.year < present.year || (asked.year === present.year && asked.month <= present.month));
  const { year, month } = isKnown ? asked : present;
  const isPresent = year === present.year && month === present.month;
  return { month: named(year, month), from: instantOf({ year, month, day: 1 }), until: instantOf({ year, month: month + 1, day: 1 }), before: named(year, month - 1), after: isPresent ? null : named(year, month + 1) };
}

function named(year: number, month: number): string {
  const first = new Date(Date.UTC(year, month - 1, 1));
  return first.toISOString().slice(0, 7);
}
