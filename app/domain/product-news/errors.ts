import { Refusal } from "#app/domain/errors.ts";
import { formatMinute } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";

export class NewsNotFound extends Refusal {
  constructor() {
    super("not_found", "Não encontramos esta novidade. Ela pode ter sido descartada.");
  }
}

export class NewsAlreadySent extends Refusal {
  constructor() {
    super("conflict", "Esta novidade já foi enviada e não muda mais.");
  }
}

export class NewsTooSoon extends Refusal {
  constructor(freeAt: Instant) {
    super("limit", `Uma novidade por dia. A próxima pode ir a partir de ${formatMinute(freeAt)}.`);
  }
}

export class TermsAlreadyAnnounced extends Refusal {
  constructor() {
    super("conflict", "Todos já foram avisados desta versão dos termos.");
  }
}

export class TermsNoticeTooShort extends Refusal {
  constructor() {
    super(
      "conflict",
      "Os termos prometem 15 dias de antecedência, e falta menos que isso. Adie a data da versão nova antes de avisar.",
    );
  }
}
