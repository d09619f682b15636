import { Refusal } from "#app/domain/errors.ts";
import { taxWord } from "#app/domain/identity/rules/tax-ids.ts";
import type { TaxKind } from "#app/domain/identity/rules/tax-ids.ts";

export class Underage extends Refusal {
  constructor() {
    super("forbidden", "Para vender no Coreto é preciso ter 18 anos.", "birthDate");
  }
}

/** Says nothing of whose account it is. */
export class TaxIdInUse extends Refusal {
  constructor(taxKind: TaxKind) {
    super("conflict", `Este ${taxWord(taxKind)} já está em outra conta. Se ele é seu, entre nela ou fale com a gente em atendimento@coreto.app.`, taxKind);
  }
}

export class DocumentsUnderReview extends Refusal {
  constructor() {
    super("conflict", "Já recebemos os seus documentos. Estamos conferindo e avisamos você.");
  }
}

export class DocumentsAlreadyApproved extends Refusal {
  constructor() {
    super("conflict", "Os seus documentos já foram aprovados.");
  }
}

export class DocumentsNotPending extends Refusal {
  constructor() {
    super("conflict", "Estes documentos não estão esperando decisão.");
  }
}

export class NotAModerator extends Refusal {
  constructor() {
    super("forbidden", "Só a moderação pode fazer isso.");
  }
}

export class OwnDocuments extends Refusal {
  constructor() {
    super("forbidden", "Outra pessoa da moderação precisa decidir os seus documentos.");
  }
}
