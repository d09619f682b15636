import { Refusal } from "#app/domain/errors.ts";

/** Not the person's seat, or one whose ticket lets nobody in any more. */
export class NothingToPass extends Refusal {
  constructor() {
    super("conflict", "Este ingresso não pode mais ser passado adiante.");
  }
}

export class AlreadyPassing extends Refusal {
  constructor() {
    super(
      "conflict",
      "Você já está passando este ingresso. Desista antes de escolher outra pessoa.",
    );
  }
}

export class UnknownReceiver extends Refusal {
  constructor() {
    super("not_found", "Não encontramos esta pessoa. Confira o nome de usuário.", "to");
  }
}

export class CannotPassToSelf extends Refusal {
  constructor() {
    super("conflict", "Este ingresso já é seu.", "to");
  }
}

export class TooManyTransfers extends Refusal {
  constructor() {
    super(
      "limit",
      "Você já passou muitos ingressos hoje, ou tem muitos esperando resposta. Tente de novo mais tarde.",
    );
  }
}

export class TransferNotFound extends Refusal {
  constructor() {
    super("not_found", "Não encontramos este ingresso.");
  }
}

/** Withdrawn, accepted by somebody already, or of a ticket that was used or canceled. */
export class TransferOver extends Refusal {
  constructor() {
    super(
      "conflict",
      "Este ingresso não está mais disponível. Fale com quem quis passar o ingresso a você.",
    );
  }
}

/** The event is not for this person, or they have all the seats that one may have. */
export class CannotReceive extends Refusal {
  constructor(why: "closed" | "too_many") {
    super(
      "conflict",
      why === "too_many"
        ? "Você já tem todas as vagas que uma pessoa pode ter neste evento."
        : "Este evento é para quem tem acesso a ele. Veja na página o que abre a vaga.",
    );
  }
}
