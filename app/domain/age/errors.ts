import type { Instant } from "#app/domain/time.ts";
import { retryAfterText } from "#app/domain/rate-limits/rules.ts";
import { Refusal } from "#app/domain/errors.ts";
import type { AgeCheckProblem, AdultMarkProblem } from "./rules.ts";
import { formatMinute } from "#app/domain/time.ts";

export class AdultSpacesOff extends Refusal {
  constructor() {
    super("not_found", "Não encontramos esta página.");
  }
}

export class AgeCheckNotStarted extends Refusal {
  constructor(problem: AgeCheckProblem) {
    super(problem.kind === "refused" ? "limit" : "conflict", startProblemText(problem));
  }
}

export class TooManyAgeChecks extends Refusal {
  constructor(freeAt: Instant) {
    super("limit", `Foram muitas verificações em um dia. ${retryAfterText(freeAt)}`);
  }
}

export class PageNotMarked extends Refusal {
  constructor(problem: AdultMarkProblem) {
    super("conflict", MARK_PROBLEM_TEXTS[problem]);
  }
}

/** Returns why the check cannot start, as a message for the person. */
export function startProblemText(problem: AgeCheckProblem): string {
  if (problem.kind === "checked") return "A sua idade já está confirmada.";
  if (problem.kind === "underage")
    return "Pela sua data de nascimento, você ainda não tem 18 anos. Estas páginas abrem quando você fizer 18.";
  return `A verificação respondeu que não. Você pode tentar de novo a partir de ${formatMinute(problem.until)}.`;
}

export const MARK_PROBLEM_TEXTS: Record<AdultMarkProblem, string> = {
  documents_missing: "Antes, envie os seus documentos: eles precisam mostrar que você tem 18 anos.",
  documents_rejected: "Os seus documentos precisam ser enviados de novo antes de marcar a página.",
  underage: "Pelos seus documentos, você ainda não tem 18 anos.",
};
