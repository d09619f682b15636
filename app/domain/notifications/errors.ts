import { Refusal } from "#app/domain/errors.ts";

export class UnsubscribeAddressInvalid extends Refusal {
  constructor() {
    super("not_found", "Este endereço não é de nenhum e-mail nosso. Confira se ele veio inteiro.");
  }
}

export class DeliveryNotFailed extends Refusal {
  constructor() {
    super("conflict", "Este envio não espera mais ninguém: alguém já tentou de novo.");
  }
}
