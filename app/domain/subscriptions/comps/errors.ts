import type { Instant } from "#app/domain/time.ts";
import { retryAfterText } from "#app/domain/rate-limits/rules.ts";
import { Refusal } from "#app/domain/errors.ts";

export class FanNotFound extends Refusal {
  constructor() {
    super("invalid", "Não encontramos esse nome de usuário.", "username");
  }
}

/** One message for a block and for members who cannot receive one: it reveals nothing about them. */
export class FanNotReachable extends Refusal {
  constructor() {
    super("conflict", "Não dá para dar uma assinatura a esta pessoa.", "username");
  }
}

export class CannotCompYourself extends Refusal {
  constructor() {
    super("conflict", "Você já vê tudo nesta página: a cortesia é para outra pessoa.", "username");
  }
}

export class FanAlreadySubscribed extends Refusal {
  constructor() {
    super(
      "conflict",
      "Esta pessoa já assina a página. Dá para dar uma cortesia quando a assinatura dela terminar.",
      "username",
    );
  }
}

export class CompPlanNotSold extends Refusal {
  constructor() {
    super("conflict", "Este plano não está à venda. Escolha outro.", "planId");
  }
}

export class CompPlanFull extends Refusal {
  constructor() {
    super(
      "conflict",
      "Os lugares deste plano acabaram. Escolha outro ou aumente os lugares.",
      "planId",
    );
  }
}

export class TooManyComps extends Refusal {
  constructor() {
    super(
      "limit",
      "Uma página pode ter até 50 cortesias ao mesmo tempo. Encerre uma para dar outra.",
    );
  }
}

export class TooManyCompsToday extends Refusal {
  constructor(freeAt: Instant) {
    super("limit", `São até 20 cortesias por dia. ${retryAfterText(freeAt)}`);
  }
}

export class LeavingCreatorCannotComp extends Refusal {
  constructor() {
    super("conflict", "Esta página vai ser encerrada: não dá para dar assinaturas.");
  }
}
