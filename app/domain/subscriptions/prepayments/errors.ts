import { Refusal } from "#app/domain/errors.ts";

export class CannotPrepay extends Refusal {
  constructor() {
    super(
      "conflict",
      "Não dá para pagar adiantado por tanto tempo. Nada foi cobrado. Escolha outra opção.",
      "periods",
    );
  }
}

export class TooManyPrepaidCodes extends Refusal {
  constructor() {
    super("limit", "Você gerou muitos códigos hoje. Espere um dia, ou pague o último.", "periods");
  }
}
