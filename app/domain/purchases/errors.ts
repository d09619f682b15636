import type { Instant } from "#app/domain/time.ts";
import { retryAfterText } from "#app/domain/rate-limits/rules.ts";
import { Refusal } from "#app/domain/errors.ts";
import { formatMoney } from "#app/domain/money.ts";
import type { Cents } from "#app/domain/money.ts";
import type { PaymentMethod } from "#app/domain/payments/rules/choices.ts";
import { methodsForPrice } from "#app/domain/plans/rules.ts";
import type { SingleKind } from "./schema.ts";

const TEXTS: Record<SingleKind, { one: string; yours: string }> = {
  post: { one: "Esta publicação", yours: "Esta publicação é sua: você já a vê inteira." },
  collection: { one: "Esta coleção", yours: "Esta coleção é sua: você já a vê inteira." },
  message: { one: "Esta mensagem", yours: "Esta mensagem é sua: você já vê o arquivo dela." },
  event: { one: "Esta compra", yours: "Este evento é seu: você não precisa de ingresso." },
};

/** The bank is answering, or nothing is open any more. */
export class PaymentNotAbandonable extends Refusal {
  constructor() {
    super("conflict", "Este pagamento não está mais aberto. Veja como ele ficou.");
  }
}

export class NotForSale extends Refusal {
  constructor(kind: SingleKind) {
    super("not_found", `${TEXTS[kind].one} não está à venda.`);
  }
}

/** The seats of an order went, or wait for somebody else. */
export class TicketsGone extends Refusal {
  constructor({ eventPath }: { eventPath: string }) {
    super(
      "conflict",
      "As vagas acabaram enquanto você escolhia, e nada foi cobrado. Na fila, avisamos você se alguém desistir.",
      undefined,
      { to: eventPath, text: "Ver o evento e a fila" },
    );
  }
}

/** The tickets cannot be bought now: the event is over, closed to this person, or off sale. */
export class TicketsNotSold extends Refusal {
  constructor({ eventPath }: { eventPath: string }) {
    super(
      "conflict",
      "Estes ingressos não estão à venda para você agora. Nada foi cobrado.",
      undefined,
      { to: eventPath, text: "Ver o evento" },
    );
  }
}

export class CannotBuyOwnContent extends Refusal {
  constructor(kind: SingleKind) {
    super("conflict", TEXTS[kind].yours);
  }
}

export class AlreadyBought extends Refusal {
  constructor(kind: SingleKind) {
    super(
      "conflict",
      kind === "event"
        ? "Estes ingressos já são seus: não precisa pagar de novo."
        : `${TEXTS[kind].one} já é sua: não precisa pagar de novo.`,
    );
  }
}

export class ContentIsFree extends Refusal {
  constructor(kind: SingleKind) {
    super("conflict", `${TEXTS[kind].one} já está aberta para você: não precisa pagar.`);
  }
}

export class PriceChanged extends Refusal {
  constructor(amountCents: Cents) {
    super(
      "conflict",
      `O preço mudou enquanto você olhava: agora é ${formatMoney(amountCents)}. Nada foi cobrado. Confira e pague, se quiser.`,
    );
  }
}

/** The amount is too low for a card, or no provider offers the method now. */
export class PurchaseMethodNotOffered extends Refusal {
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

export class TipsNotAccepted extends Refusal {
  constructor() {
    super("not_found", "Esta página não recebe apoios.");
  }
}

export class CannotTipYourself extends Refusal {
  constructor() {
    super("conflict", "Esta página é sua: quem apoia são os outros.");
  }
}

export class PurchaseNotFound extends Refusal {
  constructor() {
    super("not_found", "Não encontramos esta compra.");
  }
}

export class PurchaseAlreadyEnded extends Refusal {
  constructor() {
    super("conflict", "Esta compra já terminou.");
  }
}

export class PurchaseCoolingOffExpired extends Refusal {
  constructor(kind?: SingleKind) {
    super(
      "conflict",
      kind === "event"
        ? "O prazo para se arrepender já passou, ou o evento começou. Os ingressos continuam seus."
        : "O prazo de 7 dias para se arrepender já passou. O que você comprou continua seu.",
    );
  }
}

/** A ticket of the purchase is somebody else's now: only the others are canceled, at the event. */
export class TicketsPassedOn extends Refusal {
  constructor({ eventPath }: { eventPath: string }) {
    super(
      "conflict",
      "Um ingresso desta compra já é de outra pessoa. Cancele os que são seus na página do evento: o dinheiro deles volta.",
      undefined,
      { to: eventPath, text: "Ver o evento" },
    );
  }
}

export class PurchaseUnderDispute extends Refusal {
  constructor() {
    super(
      "conflict",
      "Este pagamento está em contestação no banco: o dinheiro espera a decisão dele.",
    );
  }
}

export class ChargeRefreshRateLimited extends Refusal {
  constructor(freeAt: Instant) {
    super(
      "limit",
      `Acabamos de perguntar ao banco. Esta página muda sozinha quando o pagamento chegar. ${retryAfterText(freeAt)}`,
    );
  }
}

/** A payment form shown to one member and sent while another is signed in. */
export class CheckoutMemberChanged extends Refusal {
  constructor() {
    super(
      "conflict",
      "Esta página foi aberta em outra conta, e nada foi cobrado. Recarregue a página e confira antes de pagar.",
    );
  }
}
