import { Refusal } from "#app/domain/errors.ts";

/** The password was right, and a code is required. `ticket` becomes a session with the right code. */
export class SecondFactorNeeded extends Refusal {
  readonly ticket: string;

  constructor(ticket: string) {
    super(
      "unauthenticated",
      "Esta conta tem verificação em duas etapas. Entre pelo site; para um programa, crie uma chave de API.",
    );
    this.ticket = ticket;
  }
}

/** Too much time between the password and the code, or no password at all. */
export class SignInExpired extends Refusal {
  constructor() {
    super("unauthenticated", "A entrada demorou demais. Digite a senha de novo.");
  }
}

export class SecondFactorAlreadyOn extends Refusal {
  constructor() {
    super("conflict", "A verificação em duas etapas já está ligada.");
  }
}

export class SecondFactorOff extends Refusal {
  constructor() {
    super("conflict", "A verificação em duas etapas não está ligada.");
  }
}

export class EnrolmentExpired extends Refusal {
  constructor() {
    super("conflict", "Este QR code não vale mais. Comece de novo.");
  }
}
