import { Refusal } from "#app/domain/errors.ts";

/** The same for an unknown account and a wrong password, so that nobody learns who has an account. */
export class WrongCredentials extends Refusal {
  constructor() {
    super("unauthenticated", "E-mail, nome de usuário ou senha incorretos.");
  }
}

/** Spec section 8: `too_many_requests`. */
export class TooManyAttempts extends Refusal {
  constructor() {
    super("limit", "Muitas solicitações. Por favor, tente novamente em breve.");
  }
}

export class EmailTaken extends Refusal {
  constructor() {
    super("conflict", "Este e-mail já está em uso. Entre na sua conta ou use outro.", "email");
  }
}

export class UsernameTaken extends Refusal {
  constructor() {
    super("conflict", "Este nome de usuário já está em uso. Escolha outro.", "username");
  }
}

/** Signed in at the provider, but not welcome here. */
export class AccountSuspended extends Refusal {
  constructor() {
    super("forbidden", "Esta conta está suspensa. Fale com o suporte.");
  }
}

export class NotSignedIn extends Refusal {
  constructor() {
    super("unauthenticated", "Entre na sua conta para continuar.");
  }
}
