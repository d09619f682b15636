import { Refusal } from "#app/domain/errors.ts";
import { formatMoney } from "#app/domain/money.ts";
import type { CouponProblem } from "#app/domain/plans/rules/coupons.ts";
import { MINIMUM_PRICE_CENTS } from "#app/domain/plans/rules/limits.ts";

const TEXTS: Record<CouponProblem | "open", string> = {
  too_many: "Foram muitos códigos errados. Tente de novo mais tarde.",
  unknown: "Não encontramos este cupom. Confira o código.",
  ended: "Este cupom foi encerrado.",
  expired: "Este cupom venceu.",
  used_up: "Os usos deste cupom acabaram.",
  other_plan: "Este cupom é de outro plano.",
  used: "Você já usou este cupom.",
  too_low: `Neste plano o cupom deixaria o preço abaixo de ${formatMoney(MINIMUM_PRICE_CENTS)}, o mínimo por aqui.`,
  open: "Este cupom está num pagamento seu que ainda espera. Conclua aquele pagamento, ou espere ele vencer.",
};

/** Why a coupon does not apply, as a message for the member. */
export const couponProblemText = (problem: CouponProblem): string => TEXTS[problem];

export class CouponRefused extends Refusal {
  constructor(problem: CouponProblem | "open") {
    super("conflict", `${TEXTS[problem]} Nada foi cobrado.`, "coupon");
  }
}

export class CouponCodeTaken extends Refusal {
  constructor() {
    super(
      "conflict",
      "Você já tem um cupom com este código. Encerre aquele, ou escolha outro.",
      "code",
    );
  }
}

export class CouponExpiryInPast extends Refusal {
  constructor() {
    super("invalid", "Escolha um dia que ainda não passou", "expiresOn");
  }
}

export class CouponPlanNotFound extends Refusal {
  constructor() {
    super("invalid", "Escolha entre os seus planos", "plans");
  }
}

export class TooManyCoupons extends Refusal {
  constructor(limit: number) {
    super("limit", `Você já tem ${limit} cupons valendo. Encerre algum para criar outro.`);
  }
}

export class CouponNotFound extends Refusal {
  constructor() {
    super("not_found", "Não encontramos este cupom.");
  }
}
