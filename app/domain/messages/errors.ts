import { Refusal } from "#app/domain/errors.ts";
import { PINNED_MAX } from "./rules.ts";
import { WRITING_PROBLEM_TEXTS } from "#app/domain/messages/rules/writing.ts";
import type { WritingProblem } from "#app/domain/messages/rules/writing.ts";
import { retryAfterText } from "#app/domain/rate-limits/rules.ts";
import type { Instant } from "#app/domain/time.ts";

export class ConversationNotFound extends Refusal {
  constructor() {
    super("not_found", "Não encontramos esta conversa.");
  }
}

export class MessageNotFound extends Refusal {
  constructor() {
    super("not_found", "Não encontramos esta mensagem. Ela pode ter sido apagada.");
  }
}

export class CannotWrite extends Refusal {
  readonly problem: WritingProblem;

  constructor(problem: WritingProblem) {
    super("forbidden", WRITING_PROBLEM_TEXTS[problem], "text");
    this.problem = problem;
  }
}

export class TooManyMessages extends Refusal {
  constructor(freeAt: Instant) {
    super(
      "limit",
      `Você enviou muitas mensagens seguidas. ${retryAfterText(freeAt)} O seu texto continua aqui.`,
      "text",
    );
  }
}

export class TooManyConversations extends Refusal {
  constructor(freeAt: Instant) {
    super(
      "limit",
      `Você começou muitas conversas hoje. ${retryAfterText(freeAt)} O seu texto continua aqui.`,
      "text",
    );
  }
}

export class TooManyMessageFiles extends Refusal {
  constructor(freeAt: Instant) {
    super(
      "limit",
      `Você enviou muitos arquivos hoje. ${retryAfterText(freeAt)} O seu texto continua aqui.`,
      "file",
    );
  }
}

export class MessageFilesGone extends Refusal {
  constructor() {
    super(
      "conflict",
      "Um dos arquivos não está mais guardado. Remova os arquivos e escolha de novo. O seu texto continua aqui.",
      "file",
    );
  }
}

export class FilesWaitForAcceptance extends Refusal {
  constructor() {
    super("forbidden", "Dá para enviar arquivos depois que a conversa for aceita.", "file");
  }
}

export class CannotSellFile extends Refusal {
  constructor() {
    super(
      "forbidden",
      "Para pôr preço em um arquivo, envie os seus documentos em Configurações, na página Documentos. Se já enviou, ela diz o que falta. Ou deixe o preço em branco.",
      "price",
    );
  }
}

export class OtherAccountWrote extends Refusal {
  constructor() {
    super("unauthenticated", "Esta mensagem foi escrita em outra conta. Entre nela para enviar.");
  }
}

export class CannotClearBought extends Refusal {
  constructor() {
    super(
      "conflict",
      "Você comprou arquivos desta conversa, ou está pagando por um. Limpar a conversa tiraria os arquivos de você.",
    );
  }
}

export class TooManyReactions extends Refusal {
  constructor(freeAt: Instant) {
    super("limit", `Muitas reações seguidas. ${retryAfterText(freeAt)}`);
  }
}

export class MessageEditWindowOver extends Refusal {
  constructor() {
    super(
      "conflict",
      "Uma mensagem pode ser editada só nos 15 primeiros minutos. Copie o seu texto e envie de novo.",
      "text",
    );
  }
}

export class TooManyMessageChanges extends Refusal {
  constructor(freeAt: Instant) {
    super("limit", `Muitas mudanças seguidas nas suas conversas. ${retryAfterText(freeAt)}`);
  }
}

export class CannotPin extends Refusal {
  constructor() {
    super(
      "conflict",
      "Só uma conversa aceita e não arquivada pode ser fixada. Aceite ou desarquive antes.",
    );
  }
}

export class TooManyPinned extends Refusal {
  constructor() {
    super("conflict", `Você já fixou ${PINNED_MAX} conversas. Desafixe uma antes.`);
  }
}
