import type { Instant } from "#app/domain/time.ts";
import { retryAfterText } from "#app/domain/rate-limits/rules.ts";
import { Refusal } from "#app/domain/errors.ts";
import { formatMoney } from "#app/domain/money.ts";
import { MINIMUM_DEBT_PAYMENT_CENTS } from "#app/domain/payments/debts/rules.ts";
import type { Capability } from "./schema.ts";

/** Nobody can be charged for it without a CPF or CNPJ, and none is kept of who pays. */
export class TaxIdRequired extends Refusal {
  constructor() {
    super(
      "conflict",
      "Informe o seu CPF ou CNPJ em Ajustes, Dados de cobrança: sem ele o banco não faz a cobrança. Nada mudou.",
    );
  }
}

/** The provider answered no, for good: same request, same answer. `code` is the provider's. */
export class ProviderRefused extends Error {
  override readonly name: string = "ProviderRefused";
  readonly code: string;

  constructor(code: string) {
    super(`provider refused: ${code}`);
    this.code = code;
  }
}

/** The provider was asked for something by its id there, and has none: it may not show it yet. */
export class NotAtProvider extends ProviderRefused {
  override readonly name = "NotAtProvider";
}

/** To a moderator who had a provider asked: it did not answer, or did not want to. */
export class ProviderUnavailable extends Refusal {
  constructor() {
    super("unavailable", "O provedor não respondeu agora. Tente de novo em alguns minutos.");
  }
}

/** The provider has no such thing: nothing was sent. */
export class ProviderUnsupported extends ProviderRefused {
  override readonly name = "ProviderLacks";

  constructor(capability: Capability) {
    super(`not_offered_${capability}`);
  }
}

/**
 * No answer, or one that does not say what happened: the effect may exist. Ask later (not before
 * `retryAfterMs`, when the provider said so); never repeat under a new key.
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
 * Our own key there is not taken (401, 403): this call did nothing, and of those before it nothing
 * is known. People mend it; nobody else's payment is refused for it.
 */
export class ProviderUnauthorized extends ProviderUnclear {
  override readonly name = "ProviderShut";
}

/**
 * What a row names as its provider is not configured: nobody was asked, and nobody else may be. It
 * waits for its keys.
 */
export class ProviderNotConfigured extends ProviderUnclear {
  override readonly name = "ProviderMissing";

  constructor(provider: string) {
    super(`the payment provider ${JSON.stringify(provider)} is not configured`);
  }
}

/** A delivery that is not the provider's, or is too old. */
export class WebhookRefused extends Error {
  override readonly name = "WebhookRefused";
}

export class QuarantinedEventNotFound extends Refusal {
  constructor() {
    super("not_found", "Não encontramos este aviso.");
  }
}

/** It was closed, tried again or applied since it was read. */
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

/** Nothing waits for a key under this address any more. */
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

/** A sale recovered some of it, or it grew, while it was being written off. */
export class DebtChanged extends Refusal {
  constructor() {
    super("conflict", "O valor devido mudou enquanto você escrevia. Confira e tente de novo.");
  }
}
