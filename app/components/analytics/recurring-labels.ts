import type { Month } from "#app/domain/ledger/months/rules/months.ts";
import type { RecurringKind } from "#app/domain/analytics/recurring/rules.ts";

/** What a move of the recurring revenue is called, and what it means in one sentence. */
export const RECURRING_LABELS: Record<RecurringKind, { title: string; meaning: string }> = {
  new: { title: "Novas", meaning: "a primeira vez que a pessoa paga um plano seu" },
  reactivation: {
    title: "Voltaram",
    meaning: "quem já tinha assinado e voltou, também de uma pausa",
  },
  expansion: { title: "Subiram", meaning: "quem passou a pagar mais por mês" },
  contraction: { title: "Desceram", meaning: "quem passou a pagar menos por mês" },
  churn: { title: "Saíram", meaning: "assinaturas que terminaram ou pausaram" },
};

/** Where the changes of a kind are listed: those of a São Paulo month, or of the last 30 days. */
export const recurringMovesPath = (kind: RecurringKind, month?: Month): string =>
  `/analytics/recurring/${kind}${monthQuery(month)}`;

/** The same list as a spreadsheet. */
export const recurringMovesFilePath = (kind: RecurringKind, month?: Month): string =>
  `/analytics/recurring/${kind}/planilha.csv${monthQuery(month)}`;

const monthQuery = (month?: Month): string => (month === undefined ? "" : `?month=${month}`);
