import { Refusal } from "#app/domain/errors.ts";
import { APPEAL_DAYS } from "./rules.ts";
import type { AppealProblem } from "./rules.ts";

export class AppealNotFound extends Refusal {
  constructor() {
    super("not_found", "Este endereço não é de nenhuma decisão. Confira se ele veio inteiro.");
  }
}

const TEXTS: Record<AppealProblem, string> = {
  nothing_decided: "Não há decisão contra a qual recorrer.",
  already_appealed: "Você já recorreu desta decisão. Cada decisão aceita um recurso.",
  too_late: `O prazo de ${APPEAL_DAYS} dias para recorrer terminou.`,
};

export class CannotAppeal extends Refusal {
  constructor(problem: AppealProblem) {
    super("conflict", TEXTS[problem]);
  }
}

export class AppealNeedsAnother extends Refusal {
  constructor() {
    super("forbidden", "A primeira decisão foi sua: outra pessoa da moderação decide o recurso.");
  }
}

export class AppealDecided extends Refusal {
  constructor() {
    super("conflict", "Este recurso já foi decidido. Recarregue a página para ver como.");
  }
}
