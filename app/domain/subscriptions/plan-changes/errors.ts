import { Refusal } from "#app/domain/errors.ts";
import type { PlanChangeProblem } from "#app/domain/subscriptions/plan-changes/rules/plan-changes.ts";

export const planChangeProblems: Record<PlanChangeProblem, string> = {
  comp: "Esta assinatura é uma cortesia: não tem preço para mudar. Quando ela terminar, você escolhe o plano que quiser.",
  gift: "Esta assinatura é um presente, pago por outra pessoa. Quando ele terminar, você escolhe o plano que quiser.",
  not_active: "Esta assinatura não está ativa. Para escolher outro plano, assine de novo.",
  past_due: "Há um pagamento em atraso. Pague primeiro, e depois mude de plano.",
  requires_action: "Falta confirmar um pagamento. Confirme primeiro, e depois mude de plano.",
  paused: "A assinatura está pausada. Volte primeiro, e depois mude de plano.",
  canceled: "A assinatura está cancelada. Reative primeiro, e depois mude de plano.",
  trialing: "O período grátis ainda corre. Dá para mudar de plano depois do primeiro pagamento.",
  disputed:
    "Um pagamento desta assinatura está em contestação no banco. Espere a decisão para mudar de plano.",
  away: "Quem cria está de férias. Dá para mudar de plano na volta.",
  shut: "Esta página não vende agora.",
  not_sold: "Este plano não está à venda.",
  full: "Os lugares deste plano acabaram.",
  same: "Você já assina este plano.",
  paid_change:
    "O próximo período já foi pago no plano novo. Depois que ele começar, dá para mudar outra vez.",
  method: "Este valor se paga só com Pix, que não está disponível agora.",
};

export class PlanChangeRefused extends Refusal {
  constructor(problem: PlanChangeProblem) {
    super("conflict", planChangeProblems[problem]);
  }
}

/** The quote that the page showed has changed: a new day, a new price, or a payment in another tab. */
export class PlanChangeOutdated extends Refusal {
  constructor() {
    super(
      "conflict",
      "As contas mudaram enquanto você olhava. Nada foi cobrado. Confira os valores de agora e confirme, se quiser.",
    );
  }
}

export class RenewalInProgress extends Refusal {
  constructor() {
    super(
      "conflict",
      "A renovação está sendo paga neste momento. Espere alguns minutos e tente de novo.",
    );
  }
}

/** A mandate is for one price, so it waits until the plan change is settled. */
export class PlanChangePending extends Refusal {
  constructor() {
    super(
      "conflict",
      "Há uma mudança de plano em andamento, e o valor vai ser outro. Autorize o Pix Automático quando ela terminar, ou desfaça a mudança antes.",
    );
  }
}

export class PlanChangeNotFound extends Refusal {
  constructor() {
    super("conflict", "Não há mudança de plano marcada.");
  }
}
