import { counted, nounFor } from "#app/domain/text.ts";

const NUMBER = new Intl.NumberFormat("pt-BR");
const LEAST_NEAR = 10;
const MOST_NEAR = 500;
/** The last tenth of a limit is near it. */
const NEAR_PART = 10;

export type LimitNote = { text: string; isOver: boolean };

/**
 * What a field says of its length near its limit and beyond it; null before. Lengths are in UTF-16
 * units, as the server counts them. Nothing that was typed is cut. `purpose` is what the field is
 * shortened for.
 */
export function limitNote(length: number, limit: number, purpose = "salvar"): LimitNote | null {
  const left = limit - length;
  if (left > Math.min(MOST_NEAR, Math.max(LEAST_NEAR, Math.floor(limit / NEAR_PART)))) return null;
  if (left < 0)
    return {
      text: `Passou ${characters(-left)} do limite de ${NUMBER.format(limit)}. Encurte para ${purpose}.`,
      isOver: true,
    };
  if (left === 0)
    return { text: `Chegou ao limite de ${NUMBER.format(limit)} caracteres.`, isOver: false };
  return { text: `${nounFor(left, "Falta", "Faltam")} ${characters(left)}.`, isOver: false };
}

const characters = (count: number): string => counted(count, "caractere", "caracteres");
