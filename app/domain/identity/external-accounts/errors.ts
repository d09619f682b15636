import { Refusal } from "#app/domain/errors.ts";
import type { RefusalKind } from "#app/domain/errors.ts";
import { IDENTITY_MESSAGES } from "#app/domain/identity/errors.ts";
import type { IdentityCode } from "#app/domain/identity/errors.ts";

const KINDS = {
  oauth_access_denied: "forbidden",
  oauth_access_denied__other: "forbidden",
  oauth_provider_unavailable: "unavailable",
  oauth_answer_refused: "unauthenticated",
  oauth_attempt_expired: "conflict",
  oauth_attempt_used: "conflict",
  oauth_client_mismatch: "forbidden",
  oauth_session_changed: "conflict",
  oauth_account_mismatch: "forbidden",
  oauth_last_way: "conflict",
  oauth_too_many: "conflict",
  oauth_offer_gone: "not_found",
  web3_message_invalid: "invalid",
  web3_message_expired: "conflict",
  web3_signature_invalid: "unauthenticated",
  web3_contract_wallet: "invalid",
  web3_wrong_network: "invalid",
  SOCIAL_ACCOUNT_ALREADY_LINKED: "conflict",
  LINKED_ACCOUNT_ALREADY_EXISTS: "conflict",
  ACCOUNT_NOT_FOUND: "not_found",
  PROVIDER_NOT_FOUND: "not_found",
} as const satisfies Partial<Record<IdentityCode, RefusalKind>>;

export type ExternalSignInCode = keyof typeof KINDS;

/** Any failure of an external sign-in or a wallet sign-in. `code` selects its message. */
export class ExternalSignInFailed extends Refusal {
  readonly code: ExternalSignInCode;

  constructor(code: ExternalSignInCode) {
    super(KINDS[code], IDENTITY_MESSAGES[code]);
    this.code = code;
  }
}

/** The account has no password. The link leads to where a code confirms instead. */
export class NoPasswordYet extends Refusal {
  constructor() {
    super("conflict", IDENTITY_MESSAGES.CREDENTIAL_ACCOUNT_NOT_FOUND, "currentPassword", {
      to: "/auth/confirm",
      text: "Receber um código",
    });
  }
}

/** A code confirms nothing where there is a password. */
export class PasswordAsked extends Refusal {
  constructor() {
    super("conflict", IDENTITY_MESSAGES.USER_ALREADY_HAS_PASSWORD, undefined, {
      to: "/auth/confirm",
      text: "Digitar a senha",
    });
  }
}

/** A first password is set once. Afterwards it changes with the current one. */
export class PasswordAlreadySet extends Refusal {
  constructor() {
    super("conflict", IDENTITY_MESSAGES.PASSWORD_ALREADY_SET);
  }
}
