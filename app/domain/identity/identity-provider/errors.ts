import { Refusal } from "#app/domain/errors.ts";

/** Passwords and tokens are the hosted provider's business: this product never sees them. */
export class HostedSignInOnly extends Refusal {
  constructor() {
    super("forbidden", "A entrada é feita pela tela de entrada do Coreto, no navegador.");
  }
}

/** Nobody can be told anything without an e-mail: receipts, refunds, protocols. */
export class AccountWithoutEmail extends Refusal {
  constructor() {
    super("conflict", "Sua conta não tem e-mail. Acrescente um e-mail à conta e entre de novo.");
  }
}

/** Deleted at the provider while its last token still counts. */
export class AccountDeleted extends Refusal {
  constructor() {
    super("unauthenticated", "Esta conta não existe mais.");
  }
}

/** The provider does not answer, and this person was never seen here before. */
export class IdentityProviderUnavailable extends Refusal {
  constructor() {
    super(
      "unavailable",
      "Não conseguimos confirmar a sua conta agora. Tente de novo em alguns instantes.",
    );
  }
}
