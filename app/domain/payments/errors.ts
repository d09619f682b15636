import type { Instant } from "#app/domain/time.ts";
import { retryAfterText } from "#app/domain/rate-limits/rules.ts";
import { Refusal } from "#app/domain/errors.ts";
import { formatMoney } from "#app/domain/money.ts";
import { MINIMUM_DEBT_PAYMENT_CENTS } from "#app/domain/payments/debts/rules.ts";
import type { Capability } from "./schema.ts";

/** The acquirer requires a CPF or CNPJ, and the payer has none saved. */
export class TaxIdRequired extends Refusal {
  constructor() {
    super(
      "conflict",
      "Informe o seu CPF ou CNPJ em Ajustes, Dados de cobrança: sem ele o banco não faz a cobrança. Nada mudou.",
    );
  }
}

/** The provider refused for good: the same request gets the same answer. `code` is the provider's. */
export class ProviderRefused extends Error {
  override readonly name: string = "ProviderRefused";
  readonly code: string;

  constructor(code: string) {
    super(`provider refused: ${code}`);
    this.code = code;
  }
}

/** The provider has no object with this id. It may appear later. */
export class NotAtProvider extends ProviderRefused {
  override readonly name = "NotAtProvider";
}

/** For a moderator's request: the provider did not answer, or refused. */
export class ProviderUnavailable extends Refusal {
  constructor() {
    super("unavailable", "O provedor não respondeu agora. Tente de novo em alguns minutos.");
  }
}

/** The provider lacks the capability; nothing was sent. */
export class ProviderUnsupported extends ProviderRefused {
  override readonly name = "ProviderLacks";

  constructor(capability: Capability) {
    super(`not_offered_${capability}`);
  }
}

/**
 * The provider gave no answer, or an unclear one: the effect may exist. Ask later, not before
 * `retryAfterMs` if given. Never repeat under a new key.
 */
export class ProviderUnclear extends Error {
  override readonly name: string = "ProviderUnclear";
  readonly retryAfterMs: number | null;

  constructor(
    message: string,
    { retryAfterMs = null, ...options }: { retryAfterMs?: number | null; cause?: unknown } = {},
  ) {
    super(message, options);
    this.retryAfterMs = retryAfterMs;
  }
}

/**
 * The provider rejects our API key (401, 403). This call did nothing; the outcome of earlier calls
 * is unknown. Staff repairs it, and no payment is refused for it.
 */
export class ProviderUnauthorized extends ProviderUnclear {
  override readonly name = "ProviderShut";
}

/**
 * The provider that a row names is not configured. No provider was asked, and no other may be. The
 * row waits for its keys.
 */
export class ProviderNotConfigured extends ProviderUnclear {
  override readonly name = "ProviderMissing";

  constructor(provider: string) {
    super(`the payment provider ${JSON.stringify(provider)} is not configured`);
  }
}

/** The webhook event is not from the provider, or is too old. */
export class WebhookRefused extends Error {
  override readonly name = "WebhookRefused";
}

export class QuarantinedEventNotFound extends Refusal {
  constructor() {
    super("not_found", "Não encontramos este aviso.");
  }
}

/** The event was closed, retried or applied since it was read. */
export class QuarantinedEventChanged extends Refusal {
  constructor() {
    super(
      "conflict",
      "Alguém já cuidou deste aviso enquanto você olhava. Confira abaixo como ele está.",
    );
  }
}

export class QuarantinedEventConflictOfInterest extends Refusal {
  constructor() {
    super(
      "forbidden",
      "Este aviso é sobre dinheiro seu ou de uma equipe sua: outra pessoa da moderação encerra.",
    );
  }
}

/** No refund transfer waits for a key at this address. */
export class RefundKeyNotExpected extends Refusal {
  constructor() {
    super("conflict", "Esta devolução não espera mais uma chave: confira abaixo como ela está.");
  }
}

export class RefundKeyOwnerMismatch extends Refusal {
  constructor() {
    super(
      "invalid",
      "A chave precisa ser o mesmo CPF ou CNPJ dos seus dados de cobrança: o dinheiro só volta para quem pagou.",
      "key",
    );
  }
}

export class TooManyRefundKeys extends Refusal {
  constructor(freeAt: Instant) {
    super(
      "limit",
      `Foram chaves demais em pouco tempo; o seu dinheiro continua guardado. ${retryAfterText(freeAt)}`,
    );
  }
}

export class FeeInThePast extends Refusal {
  constructor() {
    super(
      "invalid",
      "Escolha hoje ou um dia depois: o que já foi vendido mantém a taxa.",
      "startsOn",
    );
  }
}

export class FeeUnchanged extends Refusal {
  constructor() {
    super("invalid", "Nesse dia a taxa já é essa.", "percent");
  }
}

export class FeeRaiseTooSoon extends Refusal {
  constructor() {
    super(
      "invalid",
      "Um aumento vale no mínimo 30 dias depois de hoje, para quem vende poder se preparar.",
      "startsOn",
    );
  }
}

export class FeeTooLate extends Refusal {
  constructor() {
    super("invalid", "Escolha um dia até um ano depois de hoje.", "startsOn");
  }
}

export class FeeStartDateInvalid extends Refusal {
  constructor() {
    super("invalid", "Escreva o dia assim: 20/12/2026.", "startsOn");
  }
}

export class FeeCreatorNotFound extends Refusal {
  constructor() {
    super("invalid", "Ninguém tem este nome de usuário.", "username");
  }
}

export class NothingOwed extends Refusal {
  constructor() {
    super("conflict", "Não há mais nada a descontar.");
  }
}

export class InvalidDebtAmount extends Refusal {
  constructor(owedCents: number) {
    super(
      "invalid",
      `Escolha um valor de ${formatMoney(Math.min(owedCents, MINIMUM_DEBT_PAYMENT_CENTS))} a ${formatMoney(owedCents)}.`,
      "amount",
    );
  }
}

export class DebtPixUnavailable extends Refusal {
  constructor() {
    super(
      "unavailable",
      "O Pix está fora do ar agora. O valor continua sendo descontado das próximas vendas.",
    );
  }
}

export class TooManyDebtCodes extends Refusal {
  constructor() {
    super(
      "limit",
      "Você gerou muitos códigos hoje. Pague o último, ou espere um dia para gerar outro.",
      "amount",
    );
  }
}

export class DebtNotOldEnough extends Refusal {
  constructor(mostCents: number) {
    super(
      "invalid",
      mostCents === 0
        ? "Nada aqui é devido há mais de 180 dias."
        : `Só ${formatMoney(mostCents)} é devido há mais de 180 dias.`,
      "amount",
    );
  }
}

export class FeeConflictOfInterest extends Refusal {
  constructor() {
    super(
      "forbidden",
      "Ninguém muda a taxa da própria página, nem a da página em cuja equipe trabalha: outra pessoa da moderação muda.",
    );
  }
}

export class DebtConflictOfInterest extends Refusal {
  constructor() {
    super(
      "forbidden",
      "Ninguém dá baixa no que deve, nem no que deve a página em cuja equipe trabalha: outra pessoa da moderação dá.",
    );
  }
}

/** The debt changed during the write-off: a sale recovered some, or it grew. */
export class DebtChanged extends Refusal {
  constructor() {
    super("conflict", "O valor devido mudou enquanto você escrevia. Confira e tente de novo.");
  }
}
