import { Refusal } from "#app/domain/errors.ts";

/** A hosted provider handles passwords and tokens: this product never sees them. */
export class HostedSignInOnly extends Refusal {
  constructor() {
    super("forbidden", "A entrada é feita pela tela de entrada do Coreto, no navegador.");
  }
}

/** An account needs an e-mail, to notify of receipts, refunds and protocols. */
export class AccountWithoutEmail extends Refusal {
  constructor() {
    super("conflict", "Sua conta não tem e-mail. Acrescente um e-mail à conta e entre de novo.");
  }
}

/** Deleted at the provider while its last token is still valid. */
export class AccountDeleted extends Refusal {
  constructor() {
    super("unauthenticated", "Esta conta não existe mais.");
  }
}

/** The provider does not answer, and this person has never signed in here. */
export class IdentityProviderUnavailable extends Refusal {
  constructor() {
    super(
      "unavailable",
      "Não conseguimos confirmar a sua conta agora. Tente de novo em alguns instantes.",
    );
  }
}
