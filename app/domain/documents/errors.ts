import { DOCUMENT_FILE_LABELS } from "#app/domain/documents/schema/file-kinds.ts";
import type { RegistrySituation } from "./schema.ts";
import type { FileKind } from "#app/domain/documents/schema/file-kinds.ts";
import { Refusal } from "#app/domain/errors.ts";
import { taxIdLabel } from "#app/domain/identity/tax-ids/rules.ts";
import type { TaxId, TaxKind } from "#app/domain/identity/tax-ids/rules.ts";

export class SellerUnderage extends Refusal {
  constructor() {
    super("forbidden", "Para vender no Coreto é preciso ter 18 anos.", "birthDate");
  }
}

export class SellerNotUnderage extends Refusal {
  constructor() {
    super("invalid", "Quem nasceu nesse dia já tem 18 anos.", "bornOn");
  }
}

export class UnlikelyBirthDate extends Refusal {
  constructor() {
    super("invalid", "Confira o ano: quem vende não nasceu nesse dia.", "bornOn");
  }
}

/** An underage rejection is final, so the moderator confirms the age. */
export class AgeConfirmationRequired extends Refusal {
  constructor(years: number) {
    super(
      "conflict",
      `Por esta data, a pessoa tem ${years} anos. Confira e confirme: não dá para desfazer.`,
      "confirmedBornOn",
    );
  }
}

/** Does not reveal whose account it is. */
export class TaxIdInUse extends Refusal {
  constructor(taxKind: TaxKind, { mayContest = false } = {}) {
    const todo = mayContest
      ? "Se a conta é sua, entre nela. Se não é, marque aqui e mande os seus documentos: a moderação confere os dois lados."
      : "Se ele é seu, entre nela ou fale com a gente.";
    super(
      "conflict",
      `Este ${taxIdLabel(taxKind)} já está em outra conta. ${todo}`,
      mayContest ? "contests" : taxKind,
    );
  }
}

/** The approval transfers the tax id, so the moderator confirms it. */
export class ContestConfirmationRequired extends Refusal {
  constructor() {
    super(
      "conflict",
      "Veja os documentos dos dois lados e confirme: o número sai da outra conta, e as vendas dela param.",
      "takesFrom",
    );
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

export class DocumentModeratorRequired extends Refusal {
  constructor() {
    super("forbidden", "Só a moderação pode fazer isso.");
  }
}

export class DocumentsConflictOfInterest extends Refusal {
  constructor() {
    super(
      "forbidden",
      "Ninguém decide os próprios documentos, nem os da página em cuja equipe trabalha: outra pessoa da moderação decide.",
    );
  }
}

export class DocumentsNotEditable extends Refusal {
  constructor() {
    super(
      "conflict",
      "Estes documentos não mudam mais agora. Atualize a página para ver como estão.",
    );
  }
}

export class DocumentsIncomplete extends Refusal {
  constructor() {
    super("conflict", "Ainda faltam arquivos: só dá para aprovar com todos.");
  }
}

/** The moderator did not open every file of the documents. Names those that were not. */
export class DocumentFilesNotOpened extends Refusal {
  constructor(kinds: readonly FileKind[], side: "own" | "other" = "own") {
    const names = kinds.map((kind) => DOCUMENT_FILE_LABELS[kind]);
    const whose = side === "other" ? ", do outro lado," : "";
    super(
      "conflict",
      `Antes de aprovar, abra o que${whose} ainda não viu: ${new Intl.ListFormat("pt-BR").format(names)}.`,
    );
  }
}

const CHANGES = {
  files: "A pessoa mandou outro arquivo enquanto você olhava. Veja o que chegou antes de decidir.",
  papers: "Estes documentos mudaram enquanto você olhava. Veja como estão antes de decidir.",
  registry: "O cadastro deu outra resposta enquanto você olhava. Veja qual é antes de decidir.",
  number:
    "Outra conta ficou com este número enquanto você olhava. Veja os dois lados antes de decidir.",
  other_side: "O outro lado mudou enquanto você olhava. Veja como ele está antes de decidir.",
};

/** The viewed documents are not those that would be decided. `what` names the part that changed. */
export class DocumentsChanged extends Refusal {
  readonly what: keyof typeof CHANGES;

  constructor(what: keyof typeof CHANGES) {
    super("conflict", CHANGES[what]);
    this.what = what;
  }
}

/** The notification would say that both contestants' files were compared. */
export class ContestNotCompared extends Refusal {
  constructor() {
    super(
      "invalid",
      "Nenhuma outra conta mandou arquivos com este número. Escolha outro motivo.",
      "code",
    );
  }
}

/** Reveals nothing of the other contestant. */
export class TaxIdConflictOfInterest extends Refusal {
  constructor() {
    super(
      "forbidden",
      "A sua conta tem o mesmo número que esta, ou o contesta: outra pessoa da moderação confere e decide.",
    );
  }
}

export class DocumentExpired extends Refusal {
  constructor() {
    super("invalid", "Este documento já venceu. Recuse com esse motivo.", "expiresOn");
  }
}

const SITUATION_TEXTS: Record<Exclude<RegistrySituation, "regular">, string> = {
  suspended: "está suspenso ou pendente",
  canceled: "foi cancelado ou baixado",
  dead: "é de quem já morreu",
  not_found: "não existe",
};

export class TaxIdNotRegular extends Refusal {
  constructor({
    taxKind,
    situation,
  }: Pick<TaxId, "taxKind"> & { situation: Exclude<RegistrySituation, "regular"> }) {
    super(
      "conflict",
      `Não dá para aprovar: pela última consulta, o ${taxIdLabel(taxKind)} ${SITUATION_TEXTS[situation]}. Recuse com esse motivo, ou consulte de novo.`,
    );
  }
}

/** Nobody gave the status of a tax id. `field`: where the moderator declares that they looked it up. */
export class RegistryUnavailable extends Refusal {
  constructor(field?: string) {
    super(
      field ? "conflict" : "unavailable",
      field
        ? "O cadastro não respondeu. Confira o número no site da Receita Federal e marque aqui."
        : "O cadastro não respondeu. Tente de novo daqui a pouco.",
      field,
    );
  }
}

export class RegistryNotQueried extends Refusal {
  constructor() {
    super(
      "unavailable",
      "Nenhum cadastro está ligado aqui: confira os números no site da Receita Federal.",
    );
  }
}

export class TooManyRegistryQueries extends Refusal {
  constructor() {
    super("limit", "Foram muitas consultas na última hora. Espere um pouco.");
  }
}
