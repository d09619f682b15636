import type { PaperProblem } from "#app/domain/documents/rules/files.ts";
import { Refusal } from "#app/domain/errors.ts";
import { taxWord } from "#app/domain/identity/rules/tax-ids.ts";
import type { TaxKind } from "#app/domain/identity/rules/tax-ids.ts";

export class Underage extends Refusal {
  constructor() {
    super("forbidden", "Para vender no Coreto é preciso ter 18 anos.", "birthDate");
  }
}

export class NotUnderage extends Refusal {
  constructor() {
    super("invalid", "Quem nasceu nesse dia já tem 18 anos.", "bornOn");
  }
}

export class UnlikelyBirthDate extends Refusal {
  constructor() {
    super("invalid", "Confira o ano: quem vende não nasceu nesse dia.", "bornOn");
  }
}

/** What it does cannot be taken back: the age is read once more before. */
export class AgeToConfirm extends Refusal {
  constructor(years: number) {
    super("conflict", `Por esta data, a pessoa tem ${years} anos. Confira e confirme: não dá para desfazer.`, "confirmedBornOn");
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

export class DocumentsClosed extends Refusal {
  constructor() {
    super("conflict", "Estes documentos não mudam mais agora. Atualize a página para ver como estão.");
  }
}

const FILE_PROBLEMS: Record<PaperProblem, string> = {
  too_heavy: "O arquivo passa de 10 MB. Tire outra foto ou escolha um menor.",
  unknown_type: "Use uma foto em JPG, PNG ou WEBP, ou um PDF onde ele é pedido.",
  broken: "Este arquivo não abre. Tire outra foto ou baixe o documento de novo.",
  not_here: "Aqui vai outro tipo de arquivo: foto onde se pede foto, PDF onde se pede PDF.",
};

export class DocumentFileRefused extends Refusal {
  constructor(why: PaperProblem) {
    super("invalid", FILE_PROBLEMS[why], "file");
  }
}

export class DocumentsIncomplete extends Refusal {
  constructor() {
    super("conflict", "Ainda faltam arquivos: só dá para aprovar com todos.");
  }
}

export class DocumentsChanged extends Refusal {
  constructor() {
    super("conflict", "A pessoa mandou outro arquivo enquanto você olhava. Veja o que chegou antes de decidir.");
  }
}

export class PaperEnded extends Refusal {
  constructor() {
    super("invalid", "Este documento já venceu. Recuse com esse motivo.", "expiresOn");
  }
}
