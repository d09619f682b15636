import type { Instant } from "#app/domain/time.ts";
import { tryAgainFrom } from "#app/domain/floods/rules.ts";
import { Refusal } from "#app/domain/errors.ts";
import type { BeginProblem, MarkProblem } from "#app/domain/age/rules.ts";
import { formatMinute } from "#app/domain/time.ts";

export class AdultSpacesOff extends Refusal {
  constructor() {
    super("not_found", "Não encontramos esta página.");
  }
}

export class AgeCheckNotBegun extends Refusal {
  constructor(problem: BeginProblem) {
    super(problem.kind === "refused" ? "limit" : "conflict", beginWords(problem));
  }
}

export class TooManyAgeChecks extends Refusal {
  constructor(freeAt: Instant) {
    super("limit", `Foram muitas verificações em um dia. ${tryAgainFrom(freeAt)}`);
  }
}

export class PageNotMarked extends Refusal {
  constructor(problem: MarkProblem) {
    super("conflict", MARK_WORDS[problem]);
  }
}

/** Why the check does not begin, for the person. */
export function beginWords(problem: BeginProblem): string {
  if (problem.kind === "checked") return "A sua idade já está confirmada.";
  if (problem.kind === "underage")
    return "Pela sua data de nascimento, você ainda não tem 18 anos. Estas páginas abrem quando você fizer 18.";
  return `A verificação respondeu que não. Você pode tentar de novo a partir de ${formatMinute(problem.until)}.`;
}

export const MARK_WORDS: Record<MarkProblem, string> = {
  documents_missing: "Antes, envie os seus documentos: eles precisam mostrar que você tem 18 anos.",
  documents_rejected: "Os seus documentos precisam ser enviados de novo antes de marcar a página.",
  underage: "Pelos seus documentos, você ainda não tem 18 anos.",
};
