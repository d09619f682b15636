import { Refusal } from "#app/domain/errors.ts";

export class LinkSlugTaken extends Refusal {
  constructor() {
    super("conflict", "Você já tem um link com este endereço. Escolha outro.", "slug");
  }
}

export class TooManyLinks extends Refusal {
  constructor(most: number) {
    super("conflict", `São no máximo ${most} links ativos. Arquive um para criar outro.`);
  }
}

export class LinkNotFound extends Refusal {
  constructor() {
    super("not_found", "Não encontramos este link.");
  }
}
