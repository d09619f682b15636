import { Refusal } from "#app/domain/errors.ts";

export class CollectionNotFound extends Refusal {
  constructor() {
    super("not_found", "Não encontramos esta coleção.");
  }
}

export class TooManyCollections extends Refusal {
  constructor() {
    super("limit", "Uma página tem até 100 coleções. Apague uma antes de criar outra.");
  }
}

export class CollectionFull extends Refusal {
  constructor(field = "postIds") {
    super(
      "limit",
      "Uma coleção tem até 500 publicações, e não cabem mais estas. Comece outra, ou tire alguma antes.",
      field,
    );
  }
}

export class NotYourPosts extends Refusal {
  constructor() {
    super(
      "invalid",
      "Escolha entre as publicações da sua página. Alguma delas pode ter sido apagada.",
      "postIds",
    );
  }
}

export class OrderChanged extends Refusal {
  constructor() {
    super(
      "conflict",
      "A coleção mudou em outra aba ou aparelho, e essa publicação saiu dela. Veja como está agora.",
    );
  }
}

export class PriceNotYours extends Refusal {
  constructor() {
    super("forbidden", "Quem administra a página é quem muda o preço.", "price");
  }
}

export class CollectionSold extends Refusal {
  constructor() {
    super(
      "conflict",
      "Já há quem tenha comprado esta coleção, e ela continua com essas pessoas. Para parar de vender, deixe o preço em branco.",
    );
  }
}

export class TooLateToRestoreCollection extends Refusal {
  constructor() {
    super("conflict", "Passaram 30 dias: esta coleção não volta mais.");
  }
}
