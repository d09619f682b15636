import { Refusal } from "#app/domain/errors.ts";

export type MoveProblem = "same" | "unknown" | "less" | "taken";

const MOVE_PROBLEMS: Record<MoveProblem, { field?: string; words: string }> = {
  same: { field: "to", words: "Escolha dois provedores diferentes." },
  unknown: { words: "Um destes provedores não está configurado." },
  less: { field: "amount", words: "É mais do que o livro tem neste provedor." },
  taken: { words: "Esta movimentação já foi anotada com outros dados. Abra a página de novo." },
};

export class MoveRefused extends Refusal {
  constructor(problem: MoveProblem) {
    const { field, words } = MOVE_PROBLEMS[problem];
    super(field ? "invalid" : "conflict", words, field);
  }
}
