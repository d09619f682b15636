import { Refusal } from "#app/domain/errors.ts";

export const PRICE_LINK_EXPIRED_MESSAGE =
  "Este link não vale mais. Para ver o preço da sua assinatura, entre na sua conta e abra Ajustes, Assinaturas.";

export class PriceLinkExpired extends Refusal {
  constructor() {
    super("not_found", PRICE_LINK_EXPIRED_MESSAGE);
  }
}

/** The price change was withdrawn or replaced, or never existed: the price does not change. */
export class PriceChangeClosed extends Refusal {
  constructor() {
    super(
      "conflict",
      "Este pedido de preço não vale mais. A sua assinatura continua com o preço de hoje.",
    );
  }
}

export class NewPriceAlreadyCharged extends Refusal {
  constructor() {
    super(
      "conflict",
      "A cobrança com o preço novo já foi feita, e a resposta não muda mais. Se preferir, você pode cancelar a assinatura.",
    );
  }
}

export class TooManyPriceAnswers extends Refusal {
  constructor() {
    super("limit", "Você mudou de resposta muitas vezes. Tente de novo daqui a uma hora.");
  }
}

export class PlanPriceNotOffered extends Refusal {
  constructor() {
    super("not_found", "Este preço não está mais à venda.");
  }
}

export class PriceChangeAlreadyProposed extends Refusal {
  constructor() {
    super("conflict", "Este preço já foi pedido a quem assina.");
  }
}

export class NoSubscribersToAsk extends Refusal {
  constructor() {
    super("conflict", "Ninguém paga outro preço neste plano: não há a quem pedir.");
  }
}
