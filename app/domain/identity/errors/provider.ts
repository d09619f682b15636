import { Refusal } from "#app/domain/errors.ts";

/** Passwords and tokens are the hosted provider's business: this product never sees them. */
export class SignsInElsewhere extends Refusal {
  constructor() {
    super("forbidden", "A entrada é feita pela tela de entrada do Coreto, no navegador.");
  }
}
