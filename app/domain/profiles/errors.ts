import { retryAfterText } from "#app/domain/rate-limits/rules.ts";
import type { Instant } from "#app/domain/time.ts";
import { Refusal } from "#app/domain/errors.ts";

export class ProfileNotFound extends Refusal {
  constructor() {
    super("not_found", "Não encontramos esta página.");
  }
}

export class UsernameUnchanged extends Refusal {
  constructor() {
    super("invalid", "Este já é o seu nome de usuário.", "username");
  }
}

/** Each change reserves a username for a year. `again` is the day on which the oldest is free. */
export class TooManyUsernames extends Refusal {
  constructor(again: string) {
    super(
      "limit",
      `Você já trocou de nome de usuário muitas vezes neste ano. Tente de novo depois de ${again}, ou volte a um que já foi seu.`,
      "username",
    );
  }
}

export class SpaceAlreadyOpen extends Refusal {
  constructor() {
    super("conflict", "A sua página já está aberta.");
  }
}

export class CannotFollowYourself extends Refusal {
  constructor() {
    super("invalid", "Você não pode seguir a si.");
  }
}

/** Does not reveal who blocked whom. */
export class CannotFollow extends Refusal {
  constructor() {
    super("forbidden", "Não é possível seguir esta página.");
  }
}

export class TooManyFollows extends Refusal {
  constructor(freeAt: Instant) {
    super("limit", `Você seguiu muitas páginas seguidas. ${retryAfterText(freeAt)}`);
  }
}

export class CannotBlockYourself extends Refusal {
  constructor() {
    super("invalid", "Você não pode bloquear nem silenciar a si.");
  }
}

/**
 * A block would take away what was paid for. The subscription must end first, by the side that can
 * end it.
 */
export class SubscriptionBetween extends Refusal {
  constructor(side: "payer" | "paid") {
    super(
      "conflict",
      side === "payer"
        ? "Você tem uma assinatura desta página. Cancele em Assinaturas e bloqueie quando o acesso terminar. Enquanto isso, você pode silenciar."
        : "Esta pessoa pagou por acesso à sua página. Você pode silenciá-la agora e bloquear quando o acesso terminar. Se há abuso, fale com o suporte.",
    );
  }
}
