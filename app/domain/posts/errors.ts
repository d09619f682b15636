import { counted } from "#app/domain/text.ts";
import type { Instant } from "#app/domain/time.ts";
import { retryAfterText } from "#app/domain/rate-limits/rules.ts";
import { Refusal } from "#app/domain/errors.ts";

export class PostNotFound extends Refusal {
  constructor() {
    super("not_found", "Não encontramos esta publicação.");
  }
}

export class PostLocked extends Refusal {
  constructor() {
    super("forbidden", "Esta publicação ainda não está aberta para você.");
  }
}

export class NotACreator extends Refusal {
  constructor() {
    super("forbidden", "Abra a sua página antes de publicar.");
  }
}

export class PlanNotYours extends Refusal {
  constructor() {
    super("invalid", "Escolha entre os seus planos ativos.", "planIds");
  }
}

export class PostChangedElsewhere extends Refusal {
  constructor() {
    super("conflict", "Outra aba salvou esta publicação. Veja as duas e escolha.");
  }
}

export class ScheduleInThePast extends Refusal {
  constructor() {
    super(
      "invalid",
      "Essa hora já passou. Escolha outra, ou deixe em branco para publicar agora.",
      "publishAt",
    );
  }
}

export class ScheduleTooFar extends Refusal {
  constructor() {
    super("invalid", "Agende para no máximo um ano.", "publishAt");
  }
}

export class ScheduledPostNeedsText extends Refusal {
  constructor() {
    super(
      "invalid",
      "Ela está agendada: precisa de título e texto. Para apagar, volte para rascunho antes.",
      "title",
    );
  }
}

export class AlreadyPublished extends Refusal {
  constructor() {
    super("conflict", "Esta publicação já saiu. Recarregue a página para editar.");
  }
}

export class NotPublished extends Refusal {
  constructor() {
    super("conflict", "Esta publicação não está no ar.");
  }
}

export class TooManyPins extends Refusal {
  constructor() {
    super("limit", "Você já fixou 3 publicações. Solte uma antes.");
  }
}

export class TooLateToRestore extends Refusal {
  constructor() {
    super("conflict", "Passaram 30 dias: esta publicação não volta mais.");
  }
}

export class TooManyPublications extends Refusal {
  constructor(freeAt: Instant) {
    super(
      "limit",
      `Você publicou muitas vezes seguidas; o seu texto continua aqui. ${retryAfterText(freeAt)}`,
    );
  }
}

export class TooManyLikes extends Refusal {
  constructor(freeAt: Instant) {
    super("limit", `Muitas curtidas seguidas. ${retryAfterText(freeAt)}`);
  }
}

export class PollInvalid extends Refusal {
  constructor({ field, message }: { field: string; message: string }) {
    super("invalid", message, field);
  }
}

export class PollClosed extends Refusal {
  constructor() {
    super("conflict", "Esta enquete já terminou.");
  }
}

export class PollChoiceNotFound extends Refusal {
  constructor() {
    super("invalid", "Escolha entre as opções da enquete.", "choice");
  }
}

export class CannotVoteOwnPoll extends Refusal {
  constructor() {
    super("forbidden", "Quem publica a enquete acompanha, e não vota.");
  }
}

export class TooManyVotes extends Refusal {
  constructor() {
    super("limit", "Muitos votos seguidos. Espere um minuto e tente de novo.");
  }
}

export class PostInSoldCollection extends Refusal {
  constructor(buyers: number) {
    const who = counted(buyers, "pessoa comprou", "pessoas compraram");
    super(
      "conflict",
      `${who} uma coleção com esta publicação, e ela fica no ar para quem comprou. Você pode tirá-la da coleção: quem chegar depois não a recebe.`,
    );
  }
}

export class PurchasedPostRequired extends Refusal {
  constructor(buyers: number) {
    const who = counted(buyers, "pessoa comprou", "pessoas compraram");
    super(
      "conflict",
      `${who} esta publicação, e ela fica no ar para quem comprou. Você pode tirar o preço dela para não vender mais, ou apagar: aí devolvemos o que pagaram.`,
    );
  }
}
