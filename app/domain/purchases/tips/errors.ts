import { Refusal } from "#app/domain/errors.ts";
import { formatMoney } from "#app/domain/money.ts";
import { MAXIMUM_TIP_CENTS, MINIMUM_TIP_CENTS } from "./schema.ts";

export class InvalidTipAmount extends Refusal {
  constructor() {
    super(
      "invalid",
      `Escolha de ${formatMoney(MINIMUM_TIP_CENTS)} a ${formatMoney(MAXIMUM_TIP_CENTS)}.`,
      "other",
    );
  }
}
