import { Refusal } from "#app/domain/errors.ts";

export const PRICE_LINK_OVER =
  "Este link não vale mais. Para ver o preço da sua assinatura, entre na sua conta e abra Ajustes, Assinaturas.";

export class PriceLinkOver extends Refusal {
  constructor() {
    super("not_found", PRICE_LINK_OVER);
  }
}

/** Withdrawn, replaced by another, or nothing was asked: the price is what it was. */
export class PriceAskOver extends Refusal {
  constructor() {
    super(
      "conflict",
      "Este pedido de preço não vale mais. A sua assinatura continua com o preço de hoje.",
    );
  }
}

export class PriceChargedAlready extends Refusal {
  constructor() {
    super(
      "conflict",
      "A cobrança com o preço novo já foi feita, e a resposta não muda mais. Se preferir, você pode cancelar a assinatura.",
    );
  }
}

export class TooManyAnswers extends Refusal {
  constructor() {
    super("limit", "Você mudou de resposta muitas vezes. Tente de novo daqui a uma hora.");
  }
}

export class PriceNotSold extends Refusal {
  constructor() {
    super("not_found", "Este preço não está mais à venda.");
  }
}

export class PriceAskedAlready extends Refusal {
  constructor() {
    super("conflict", "Este preço já foi pedido a quem assina.");
  }
}

export class NobodyToAsk extends Refusal {
  constructor() {
    super("conflict", "Ninguém paga outro preço neste plano: não há a quem pedir.");
  }
}
