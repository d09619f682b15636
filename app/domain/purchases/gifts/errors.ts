import { retryAfterText } from "#app/domain/rate-limits/rules.ts";
import { Refusal } from "#app/domain/errors.ts";
import { formatDay } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";

export class CannotGiftOwnPlan extends Refusal {
  constructor() {
    super(
      "conflict",
      "Esta página é sua. Para dar um plano seu, use Assinantes, Dar uma assinatura.",
    );
  }
}

export class GiftDeliveryDayInvalid extends Refusal {
  constructor(message: string) {
    super("invalid", message, "deliverOn");
  }
}

/** Without an e-mail only the name tells recipients apart. At most one such gift is open. */
export class UnnamedGiftAlreadyOpen extends Refusal {
  constructor({ chargeId, recipientName }: { chargeId: string; recipientName: string }) {
    super(
      "conflict",
      `Já há um presente seu à espera do pagamento${recipientName === "" ? "" : `, para ${recipientName}`}. Pague esse primeiro e depois este, ou diga o e-mail de quem recebe este.`,
      undefined,
      { to: `/checkout/${chargeId}`, text: "Ver o presente que espera" },
    );
  }
}

export class GiftNotFound extends Refusal {
  constructor() {
    super("not_found", "Não encontramos este presente. Confira o endereço com quem deu.");
  }
}

export class GiftClaimed extends Refusal {
  constructor() {
    super("conflict", "Este presente já foi resgatado.");
  }
}

export class GiftUnclaimed extends Refusal {
  constructor() {
    super(
      "conflict",
      "O prazo para resgatar este presente passou, e o dinheiro voltou para quem deu.",
    );
  }
}

export class GiftReturned extends Refusal {
  constructor() {
    super("conflict", "Este presente foi devolvido a quem deu: não dá mais para resgatar.");
  }
}

export class GiftDisputed extends Refusal {
  constructor() {
    super(
      "conflict",
      "O banco está conferindo o pagamento deste presente. Tente de novo em alguns dias.",
    );
  }
}

export class CannotClaimOwnGift extends Refusal {
  constructor() {
    super(
      "conflict",
      "Este presente é da sua própria página. Ele continua valendo para outra pessoa.",
    );
  }
}

/** One message for a closed page and for a block, so that it reveals neither. */
export class GiftNotClaimable extends Refusal {
  constructor() {
    super(
      "conflict",
      "Não dá para resgatar este presente nesta conta. Ele continua valendo: avise quem deu.",
    );
  }
}

export class LeavingMemberCannotClaim extends Refusal {
  constructor() {
    super("conflict", "Você pediu para excluir a conta. Para resgatar, mantenha a conta primeiro.");
  }
}

export class GiftForAdults extends Refusal {
  constructor() {
    super("forbidden", "Esta página é só para maiores de 18 anos. Confirme a sua idade e volte.");
  }
}

export class GiftAlreadySubscribed extends Refusal {
  constructor(claimUntil: Instant) {
    super(
      "conflict",
      `Você já assina esta página. O presente continua guardado até ${formatDay(claimUntil)}: resgate quando a assinatura terminar, ou passe o endereço a outra pessoa.`,
    );
  }
}

export class TooManyGiftCodeAttempts extends Refusal {
  constructor() {
    super("limit", "Muitas tentativas seguidas. Espere uma hora e tente de novo.");
  }
}

export class GiftDeliveryNotPossible extends Refusal {
  constructor() {
    super("conflict", "Este presente já foi resgatado ou terminou: não há mais o que entregar.");
  }
}

export class TooManyGiftEmails extends Refusal {
  constructor(freeAt: Instant) {
    super(
      "limit",
      `Foram muitos envios de presentes em um dia. ${retryAfterText(freeAt)} Enquanto isso, passe o endereço por conta própria.`,
    );
  }
}
