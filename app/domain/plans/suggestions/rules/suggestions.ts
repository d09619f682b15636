import { CATEGORY_LABELS, creatorCategories } from "#app/domain/profiles/rules/categories.ts";
import { PAID_WORK, SUGGESTED_PLANS } from "./table.ts";
import type { KindOfWork, PlanSuggestion } from "./table.ts";

/** The kinds of work with their labels, "Outra coisa" last. */
export const kindsOfWork: readonly { kind: KindOfWork; label: string }[] = [
  ...creatorCategories.map((kind) => ({ kind, label: CATEGORY_LABELS[kind] })),
  { kind: "other", label: "Outra coisa" },
];

/** Reads a kind of work from a URL or a profile; null for none and for an unknown one. */
export function kindOfWork(text: string | null): KindOfWork | null {
  return kindsOfWork.find(({ kind }) => kind === text)?.kind ?? null;
}

/** The plans suggested to who makes `kind`, the cheapest first. */
export function planSuggestions(kind: KindOfWork): readonly PlanSuggestion[] {
  return SUGGESTED_PLANS[kind];
}

/** Reads a position in `planSuggestions` from a URL, counted from 1; null for any other text. */
export function chosenSuggestion(kind: KindOfWork, text: string | null): PlanSuggestion | null {
  return planSuggestions(kind).find((_, index) => String(index + 1) === text) ?? null;
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
    "Tudo o que é de quem assina já está aberto para você. Comece pelo que preferir, e conte nos comentários o que achou: eu leio.",
  ].join("\n\n");
}
