import { Refusal } from "#app/domain/errors.ts";
import { formatDay, instantOfIsoDay } from "#app/domain/time.ts";

export class PixMandateNotOffered extends Refusal {
  constructor() {
    super("conflict", "O Pix Automático não está disponível para esta assinatura agora.");
  }
}

export class PixMandateAlreadyActive extends Refusal {
  constructor() {
    super("conflict", "Esta assinatura já renova por Pix Automático.");
  }
}

export class PixMandateNotFound extends Refusal {
  constructor() {
    super("conflict", "Esta assinatura não renova por Pix Automático. Não há o que encerrar.");
  }
}

export class NothingToPay extends Refusal {
  constructor() {
    super("conflict", "Não há uma renovação esperando pagamento agora.");
  }
}

/** The bank cancels an order until 22:00 of the day before; `debitOn` is its day, `YYYY-MM-DD`. */
export class DebitInProgress extends Refusal {
  constructor(debitOn: string) {
    super(
      "conflict",
      `O banco já vai debitar em ${formatDay(instantOfIsoDay(debitOn))}, e não dá mais para trocar. Se não passar, você paga com um código depois.`,
    );
  }
}

export class BankUnavailable extends Refusal {
  constructor() {
    super("conflict", "O banco não respondeu agora. Tente de novo em um minuto.");
  }
}
