import type { Instant } from "#app/domain/time.ts";
import { retryAfterText } from "#app/domain/rate-limits/rules.ts";
import { Refusal } from "#app/domain/errors.ts";
import { declineMessage } from "#app/domain/subscriptions/errors.ts";

export class TransactionNotFound extends Refusal {
  constructor() {
    super("not_found", "Não encontramos esta transação.");
  }
}

export type RefundProblem =
  | "unpaid"
  | "all_back"
  | "disputed"
  | "waiting"
  | "too_many"
  | "too_much"
  | "refused";

const REFUND_PROBLEMS: Record<RefundProblem, string> = {
  unpaid: "Este pagamento não foi feito: não há o que devolver.",
  all_back: "Este pagamento já voltou inteiro.",
  disputed:
    "Este pagamento está em contestação no banco, ou foi perdido nela: é o banco quem decide para onde vai.",
  waiting:
    "Já há uma devolução deste pagamento a caminho. Espere ela ser confirmada para fazer outra.",
  too_many: "Este pagamento já teve devoluções demais. Fale com o nosso atendimento.",
  too_much: "É mais do que resta desta cobrança.",
  refused:
    "O provedor de pagamento não aceitou esta devolução. Nada voltou e nada mudou. Tente mais tarde, ou fale com o nosso atendimento.",
};

export class RefundRefused extends Refusal {
  constructor(problem: RefundProblem) {
    super(
      problem === "too_much" ? "invalid" : "conflict",
      REFUND_PROBLEMS[problem],
      problem === "too_much" ? "amountCents" : undefined,
    );
  }
}

export const refundProblemText = (problem: RefundProblem): string => REFUND_PROBLEMS[problem];

export class SavedMethodNotFound extends Refusal {
  constructor() {
    super("not_found", "Não encontramos este cartão.");
  }
}

export class SavedMethodInUse extends Refusal {
  constructor() {
    super(
      "conflict",
      "Este cartão paga assinaturas que renovam. Escolha como elas continuam.",
      "instead",
    );
  }
}

/** Pix is not offered now, so what renews by the card could not be paid. */
export class CardRequiredWithoutPix extends Refusal {
  constructor() {
    super(
      "conflict",
      "O Pix não está disponível agora, e nada mudou. Escolha outro cartão, ou pare de renovar.",
      "instead",
    );
  }
}

export class CardPaysUpcoming extends Refusal {
  constructor() {
    super(
      "conflict",
      "Uma assinatura paga por este cartão ainda vai começar. Escolha outro cartão para ela, ou desista dela em Assinaturas; depois remova este.",
      "instead",
    );
  }
}

/** The provider, or the card's bank, refused to save it. */
export class CardNotSaved extends Refusal {
  constructor(code: string | null) {
    super("conflict", `O cartão não foi guardado. ${declineMessage(code)}`);
  }
}

export class CardRefreshRateLimited extends Refusal {
  constructor(freeAt: Instant) {
    super(
      "limit",
      `Já perguntamos ao banco muitas vezes. Se ele aceitar, o cartão aparece aqui sozinho. ${retryAfterText(freeAt)}`,
    );
  }
}

export class TooManyCardSetups extends Refusal {
  constructor(freeAt: Instant) {
    super("limit", `Foram cartões demais em pouco tempo. ${retryAfterText(freeAt)}`);
  }
}
