import { Refusal } from "#app/domain/errors.ts";

export class DisputeNotFound extends Refusal {
  constructor() {
    super("not_found", "Não encontramos esta contestação.");
  }
}

export type AnswerProblem =
  | "decided"
  | "too_late"
  | "answered"
  | "reviewing"
  | "empty"
  | "cannot_accept";

const TEXTS: Record<AnswerProblem, string> = {
  decided: "Esta contestação já foi decidida: não há mais o que responder.",
  too_late: "O prazo para responder acabou. O banco decide sem a resposta.",
  answered: "Esta contestação já foi respondida. A resposta vai uma vez só, e não muda mais.",
  reviewing: "O banco já está analisando uma resposta a esta contestação.",
  empty: "Escreva a sua resposta ou junte um arquivo antes de enviar.",
  cannot_accept:
    "O provedor de pagamento não deixa aceitar esta perda por aqui. Sem resposta, o banco decide.",
};

export class AnswerRefused extends Refusal {
  constructor(problem: AnswerProblem) {
    super("conflict", TEXTS[problem]);
  }
}

export class EvidenceKindMissing extends Refusal {
  constructor() {
    super("invalid", "Escolha o que o arquivo mostra.", "kind");
  }
}

export class EvidenceTextMissing extends Refusal {
  constructor() {
    super("invalid", "Escreva o que aconteceu ou junte um arquivo.", "text");
  }
}

export type EvidenceFileProblem = "too_heavy" | "unknown_type" | "broken";

const FILE_TEXTS: Record<EvidenceFileProblem, string> = {
  too_heavy: "O arquivo precisa ter até 5 MB. Reduza o tamanho e envie de novo.",
  unknown_type: "Este tipo de arquivo não é aceito. Envie um PDF, um JPG ou um PNG.",
  broken: "Este arquivo está incompleto ou traz outra coisa dentro. Exporte de novo e envie.",
};

export class EvidenceFileRefused extends Refusal {
  constructor(problem: EvidenceFileProblem) {
    super("invalid", FILE_TEXTS[problem], "file");
  }
}

export class TooManyEvidenceFiles extends Refusal {
  constructor() {
    super(
      "limit",
      "Foram muitos envios na última hora. Espere até uma hora e mande de novo.",
      "file",
    );
  }
}

export class EvidenceFileNotFound extends Refusal {
  constructor() {
    super("not_found", "Não encontramos este arquivo.");
  }
}
