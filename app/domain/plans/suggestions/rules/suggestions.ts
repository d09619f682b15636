import { CATEGORY_LABELS, creatorCategories } from "#app/domain/profiles/rules/categories.ts";
import { PAID_WORK, SUGGESTED_PLANS } from "./table.ts";
import type { KindOfWork, PlanSuggestion } from "./table.ts";

/** The kinds of work with their labels, "Outra coisa" last. */
export const kindsOfWork: readonly { kind: KindOfWork; label: string }[] = [
  ...creatorCategories.map((kind) => ({ kind, label: CATEGORY_LABELS[kind] })),
  { kind: "other", label: "Outra coisa" },
];

/** Reads a kind of work from a URL or a profile; null for none and for an unknown one. */
export function parseKindOfWork(text: string | null): KindOfWork | null {
  return kindsOfWork.find(({ kind }) => kind === text)?.kind ?? null;
}

/**
 * Returns the plans suggested for `kind`, the cheapest first. A plan that includes the cheaper one
 * says so by its name only if the creator has a plan of that name; otherwise it lists the benefits
 * of the cheaper one.
 */
export function planSuggestions(
  kind: KindOfWork,
  { creatorPlanNames }: { creatorPlanNames: readonly string[] },
): readonly PlanSuggestion[] {
  const suggestions: PlanSuggestion[] = [];
  for (const { includesPrevious, benefits, ...texts } of SUGGESTED_PLANS[kind]) {
    const previous = suggestions.at(-1);
    const included =
      previous === undefined || includesPrevious === null
        ? []
        : creatorPlanNames.includes(previous.name)
          ? [includesPrevious]
          : previous.benefits;
    suggestions.push({ ...texts, benefits: [...included, ...benefits] });
  }
  return suggestions;
}

/** Reads a position in `suggestions` from a URL, counted from 1; null for any other text. */
export function chosenSuggestion(
  suggestions: readonly PlanSuggestion[],
  text: string | null,
): PlanSuggestion | null {
  return suggestions.find((_, index) => String(index + 1) === text) ?? null;
}

/** A welcome message to start from, with the creator's name and what the subscription pays for. */
export function welcomeMessageDraft({
  creatorName,
  kind,
}: {
  creatorName: string;
  kind: KindOfWork | null;
}): string {
  return [
    `Que bom ter você por aqui! Sou ${creatorName}, e quero agradecer: ${PAID_WORK[kind ?? "other"]}`,
    "O que o seu plano abre já está aberto para você. Comece pelo que preferir, e conte nos comentários o que achou: eu leio.",
  ].join("\n\n");
}
