import { Refusal } from "#app/domain/errors.ts";
import type { RequestProblem } from "./rules.ts";

const REQUEST_MESSAGES: Record<RequestProblem, string> = {
  canceled: "Este evento foi cancelado.",
  not_published: "Não encontramos este evento.",
  started: "Este evento já começou: os pedidos de vaga terminaram.",
  closed: "Este evento é para quem tem acesso a ele. Veja na página o que abre a vaga.",
  off_sale: "Os ingressos deste evento não estão mais à venda.",
  too_many: "Com este pedido você teria mais vagas do que uma pessoa pode ter neste evento.",
  not_needed: "Neste evento não é preciso pedir a vaga: pegue a sua na página dele.",
  offered: "O seu pedido já foi aprovado: a vaga espera por você na página do evento.",
  refused: "O seu pedido para este evento não foi aprovado.",
};

/** No request from this person, with the reason. */
export class CannotRequest extends Refusal {
  constructor(why: RequestProblem) {
    super(why === "not_published" ? "not_found" : "conflict", REQUEST_MESSAGES[why]);
  }
}

export class TooManyRequests extends Refusal {
  constructor() {
    super("limit", "Você pediu vagas muitas vezes. Tente de novo daqui a uma hora.");
  }
}

export class RequestNotFound extends Refusal {
  constructor() {
    super("not_found", "Este pedido não está mais aqui: foi retirado ou já tem resposta.");
  }
}

export class RequestsEnded extends Refusal {
  constructor() {
    super("conflict", "O evento já começou: os pedidos terminaram sem resposta.");
  }
}

/** The seats of the request are not free. */
export class NoSeatForRequest extends Refusal {
  constructor() {
    super(
      "conflict",
      "Não há vagas livres para este pedido. Aumente as vagas do evento ou do ingresso, ou espere alguém desistir.",
    );
  }
}

/** Something of the person or of the kind of ticket changed since the request. */
export class CannotApprove extends Refusal {
  constructor() {
    super(
      "conflict",
      "Esta pessoa não pode mais ter a vaga que pediu: o ingresso saiu de venda, ela já tem as vagas que pode ter, ou não tem mais acesso ao evento.",
    );
  }
}
