import type { Instant } from "#app/domain/time.ts";
import { retryAfterText } from "#app/domain/rate-limits/rules.ts";
import { Refusal } from "#app/domain/errors.ts";
import { trialLabel } from "#app/domain/subscriptions/trials/rules/trial.ts";

export class TrialUsed extends Refusal {
  constructor() {
    super(
      "conflict",
      "O período grátis desta página é para quem nunca assinou, uma vez só. Nada foi cobrado. Confira o preço e assine, se quiser.",
    );
  }
}

export class TrialTaxIdMissing extends Refusal {
  constructor() {
    super(
      "conflict",
      "Informe o seu CPF ou CNPJ: o período grátis é uma vez por pessoa. Nada começou.",
    );
  }
}

export class TrialChanged extends Refusal {
  constructor(days: number) {
    super(
      "conflict",
      days === 0
        ? "Este plano não tem mais período grátis. Nada foi cobrado. Confira o preço e assine, se quiser."
        : `O período grátis mudou enquanto você olhava: agora são ${trialLabel(days)}. Nada começou. Confira e comece, se quiser.`,
    );
  }
}

export class TooManyTrials extends Refusal {
  constructor(freeAt: Instant) {
    super("limit", `São até 10 períodos grátis por dia. ${retryAfterText(freeAt)}`);
  }
}

export class TooManyTrialCards extends Refusal {
  constructor() {
    super(
      "limit",
      "Muitos cartões foram tentados. Comece sem cartão, ou tente com cartão daqui a uma hora.",
    );
  }
}

/** A new card is typed in the provider's own field, which needs JavaScript. */
export class TrialCardMissing extends Refusal {
  constructor() {
    super(
      "invalid",
      "Não recebemos o cartão: o campo dele precisa de JavaScript. Comece sem cartão, ou escolha um que você já guardou.",
      "method",
    );
  }
}

/** The provider did not answer, so the card is unconfirmed. */
export class TrialCardUnconfirmed extends Refusal {
  constructor() {
    super(
      "conflict",
      "O banco não respondeu agora. Nada começou e nada foi cobrado. Tente de novo em um minuto.",
      "payment",
    );
  }
}
