import { counted } from "#app/domain/text.ts";
import { Refusal } from "#app/domain/errors.ts";
import type { ActivationProblem, SellingProblem } from "./rules.ts";

export class PlanNotFound extends Refusal {
  constructor() {
    super("not_found", "Não encontramos este plano.");
  }
}

export class PageNotOpen extends Refusal {
  constructor() {
    super("forbidden", "Abra a sua página antes de criar um plano.");
  }
}

export class PriceInvalid extends Refusal {
  constructor(problem: string) {
    super("invalid", problem, "price");
  }
}

export class TooManyPlans extends Refusal {
  constructor(limit: number) {
    super("limit", `Você já tem ${limit} planos. Arquive algum para criar outro.`);
  }
}

export class PlanArchived extends Refusal {
  constructor() {
    super("conflict", "Este plano foi arquivado e não muda mais. Crie outro, se quiser.");
  }
}

/** Another person or tab changed it first. */
export class PlanChanged extends Refusal {
  constructor() {
    super("conflict", "Este plano mudou agora há pouco, em outra aba. Confira e tente de novo.");
  }
}

export class SeatsBelowTaken extends Refusal {
  constructor(seatsTaken: number) {
    super(
      "conflict",
      `Já há ${counted(seatsTaken, "pessoa", "pessoas")} neste plano: o limite não pode ser menor.`,
      "seats",
    );
  }
}

const ACTIVATION_TEXTS: Record<ActivationProblem, string> = {
  archived: "Este plano foi arquivado. Crie outro para vender.",
  documents_missing: "Antes de vender, precisamos saber quem você é. Leva um minuto.",
  documents_rejected: "Seus documentos foram recusados. Corrija e mande de novo para vender.",
  documents_contested:
    "Recebemos os seus dados, mas o número já está em outra conta. Mande as fotos em Ajustes, Documentos: a moderação confere os dois lados, e a venda abre se ele for seu.",
  documents_overdue:
    "Ainda não conseguimos aprovar os seus documentos, e o prazo de 14 dias passou. Fale com a gente.",
  underage: "Para vender no Coreto é preciso ter 18 anos.",
  too_many: "Você já tem 10 planos à venda. Arquive algum antes de ativar este.",
};

export class PlanNotActivatable extends Refusal {
  readonly problem: ActivationProblem;

  constructor(problem: ActivationProblem) {
    super(problem === "too_many" ? "limit" : "conflict", ACTIVATION_TEXTS[problem]);
    this.problem = problem;
  }
}

/** A seller who may not sell yet set a price on something. */
export class SellerNotReady extends Refusal {
  constructor(problem: SellingProblem) {
    super("invalid", ACTIVATION_TEXTS[problem], "price");
  }
}
