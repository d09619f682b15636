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
