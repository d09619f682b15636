import { Refusal } from "#app/domain/errors.ts";
import { formatMoney } from "#app/domain/money.ts";
import type { Cents } from "#app/domain/money.ts";
import type { PaymentMethod } from "#app/domain/payments/rules/choices.ts";
import { methodsForPrice } from "#app/domain/plans/rules.ts";

export class PlanNotForSale extends Refusal {
  constructor() {
    super("not_found", "Este plano não está à venda.");
  }
}

export class PlanPriceChanged extends Refusal {
  constructor(amountCents: Cents) {
    super(
      "conflict",
      `O preço mudou enquanto você olhava: agora é ${formatMoney(amountCents)}. Nada foi cobrado. Confira e pague, se quiser.`,
    );
  }
}

export class LeavingMemberCannotSubscribe extends Refusal {
  constructor() {
    super("conflict", "Você pediu para excluir a conta. Para assinar, mantenha a conta primeiro.");
  }
}

export class CannotSubscribeToYourself extends Refusal {
  constructor() {
    super("conflict", "Este plano é seu: quem cria não assina a própria página.");
  }
}

export class AlreadySubscribed extends Refusal {
  constructor() {
    super("conflict", "Você já assina esta página.");
  }
}

/** The start day is not the one that the page showed. */
export class StartDateChanged extends Refusal {
  constructor() {
    super(
      "conflict",
      "O dia em que a assinatura começa mudou enquanto você olhava. Nada foi cobrado. Confira e pague, se quiser.",
    );
  }
}

export class NoSeatLeft extends Refusal {
  constructor() {
    super("conflict", "Os lugares deste plano acabaram.");
  }
}

/** A card for too small an amount, or a method that is not offered now. */
export class SubscriptionMethodNotOffered extends Refusal {
  constructor({ method, amountCents }: { method: PaymentMethod; amountCents: Cents }) {
    super(
      "invalid",
      methodsForPrice(amountCents).includes(method)
        ? "Esta forma de pagar não está disponível agora. Escolha outra."
        : "Este valor se paga só com Pix.",
      "method",
    );
  }
}

/** The card was removed in another tab, or was never the member's: the answer is the same. */
export class SavedCardRemoved extends Refusal {
  constructor() {
    super(
      "conflict",
      "Este cartão não está mais guardado. Nada foi cobrado. Escolha outra forma de pagar.",
      "method",
    );
  }
}

export class TooManyOpenPayments extends Refusal {
  constructor() {
    super("limit", "Você tem muitos pagamentos abertos. Pague ou espere um deles vencer.");
  }
}

export class TooManyDeclines extends Refusal {
  constructor() {
    super(
      "limit",
      "Muitos cartões foram recusados. Pague com Pix, ou tente com cartão daqui a uma hora.",
    );
  }
}

const DECLINES: Record<string, string> = {
  card_declined: "O cartão foi recusado. Tente outro cartão ou pague com Pix.",
  insufficient_funds: "O cartão está sem limite. Tente outro cartão ou pague com Pix.",
  invalid_token: "Digite o cartão de novo: os dados valem por poucos minutos.",
  generic_decline: "O cartão foi recusado. Tente outro cartão ou pague com Pix.",
  payer_tax_id_required: "Antes de pagar, preencha seu CPF ou CNPJ em Ajustes, Dados de cobrança.",
  authorisation_ended:
    "O Pix Automático não foi autorizado no banco, e nada foi cobrado. Tente de novo, ou pague cada renovação com um código Pix.",
  authentication_failed: "O banco não confirmou a compra. Tente de novo ou pague com Pix.",
};

/** The message of a provider's failure code for the payer. */
export function declineMessage(code: string | null): string {
  return (
    DECLINES[code ?? ""] ?? "O pagamento não foi aceito. Tente de novo ou escolha outra forma."
  );
}

export class PaymentDeclined extends Refusal {
  constructor(code: string | null) {
    super("conflict", declineMessage(code), "payment");
  }
}

export class TooManyMethodChanges extends Refusal {
  constructor() {
    super("limit", "Você já tentou várias formas de pagar. Tente de novo daqui a uma hora.");
  }
}

export class SubscriptionNotFound extends Refusal {
  constructor() {
    super("not_found", "Assinatura não encontrada.");
  }
}

export class NotCancelable extends Refusal {
  constructor() {
    super("conflict", "Esta assinatura já não renova.");
  }
}

export class NotPausable extends Refusal {
  constructor() {
    super(
      "conflict",
      "Dá para pausar uma vez em cada período pago, enquanto a assinatura está ativa.",
    );
  }
}

export class NotPaused extends Refusal {
  constructor() {
    super("conflict", "Esta assinatura não está pausada.");
  }
}

export class NotReactivable extends Refusal {
  constructor() {
    super("conflict", "Esta assinatura já terminou. Para voltar, é só assinar de novo.");
  }
}

export class AgeNotVerified extends Refusal {
  constructor() {
    super(
      "forbidden",
      "Esta página é para adultos. Confirme a sua idade na página antes de pagar de novo.",
    );
  }
}

export class PageClosed extends Refusal {
  constructor() {
    super(
      "conflict",
      "Esta página não vende agora, e a assinatura não pode continuar. O que você pagou segue aberto até o fim.",
    );
  }
}

/**
 * While a bank decides, nothing ends and nothing else is refunded: a won dispute needs its
 * subscription.
 */
export class SubscriptionUnderDispute extends Refusal {
  constructor() {
    super(
      "conflict",
      "Um pagamento desta assinatura está em contestação no banco, e até ele decidir não dá para desistir e receber tudo de volta. Parar de renovar, você pode a qualquer momento.",
    );
  }
}

export class SubscriptionCoolingOffExpired extends Refusal {
  constructor() {
    super(
      "conflict",
      "O prazo de 7 dias para se arrepender já passou. Você ainda pode cancelar a renovação.",
    );
  }
}
