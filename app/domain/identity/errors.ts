import { Refusal } from "#app/domain/errors.ts";
import type { RefusalKind } from "#app/domain/errors.ts";

/**
 * Messages in Portuguese for the identity provider's error codes. Has the codes of spec section 8,
 * with its exact texts where given. Has every code of better-auth that the embedded identity can
 * meet. A test compares the table with the library's own list.
 */
export const IDENTITY_MESSAGES = {
  form_code_incorrect: "Código incorreto",
  form_param_nil: "Campo obrigatório",
  form_param_format_invalid: "Identificador inválido.",
  form_param_format_invalid__phone_number:
    "Digite um telefone com DDD, como (11) 91234-5678. De outro país, comece com + e o código dele.",
  phone_number_impossible:
    "Este telefone não existe. Confira o DDD e os números; de outro país, comece com + e o código dele.",
  phone_number_no_messages: "Este telefone não recebe mensagens. Use um celular.",
  verification_expired: "Esta verificação expirou. Você deve criar uma nova.",
  verification_failed:
    "Tentativas demais sem acertar. Tente de novo com o mesmo método ou com outro.",
  verification_not_sent: "É preciso enviar um código antes de verificar.",
  verification_already_verified: "Este código já foi usado. Peça um novo.",
  verification_link_failed: "Este link não vale. Peça um novo.",
  verification_client_mismatch: "Abra o link no mesmo navegador em que você o pediu.",
  too_many_requests: "Muitas solicitações. Por favor, tente novamente em breve.",
  oauth_access_denied: "O acesso à sua conta Google não foi concedido.",
  oauth_access_denied__other: "O acesso à sua outra conta não foi concedido.",
  oauth_provider_unavailable:
    "O serviço da outra conta não respondeu. Tente de novo em alguns instantes ou entre de outra forma.",
  oauth_answer_refused: "Não conseguimos confirmar a resposta da outra conta. Comece de novo.",
  oauth_attempt_expired: "A ida à outra conta demorou mais de 10 minutos. Comece de novo.",
  oauth_attempt_used: "Esta ida à outra conta já terminou ou não começou aqui. Comece de novo.",
  oauth_client_mismatch: "Continue no mesmo navegador em que você começou.",
  oauth_session_changed:
    "A sua sessão mudou no meio do caminho. Entre na conta certa e comece de novo.",
  oauth_account_mismatch:
    "Esta não é a outra conta ligada à sua. Escolha a mesma com que você entra.",
  oauth_last_way:
    "Esta é a sua única forma de entrar sem pedir um código. Crie uma senha antes de desligar.",
  oauth_too_many: "Você já ligou o máximo de 10 contas. Desligue uma antes de ligar outra.",
  oauth_offer_gone: "Não há outra conta esperando para ser ligada. Comece de novo.",
  web3_message_invalid: "A mensagem assinada não é a que enviamos. Comece de novo.",
  web3_message_expired:
    "O pedido de assinatura já foi usado ou passou de 10 minutos. Comece de novo.",
  web3_signature_invalid:
    "A assinatura não é desta carteira. Confira a conta escolhida na carteira e tente de novo.",
  web3_contract_wallet:
    "Carteiras de contrato, como a Safe, não entram aqui. Use uma carteira com chave própria.",
  web3_wrong_network: "Mude a carteira para a rede principal do Ethereum e tente de novo.",
  web3_wallet_missing:
    "Não encontramos uma carteira neste navegador. Instale uma, como a MetaMask, ou use o navegador da sua.",
  web3_request_rejected: "O pedido foi recusado na carteira. Nada mudou.",
  web3_request_pending: "A carteira já tem um pedido aberto. Abra a carteira e responda a ele.",
  web3_account_switched:
    "A conta da carteira mudou no meio do caminho. Tente de novo com a conta escolhida.",
  web3_wallet_failed: "A carteira não respondeu. Confira se ela está desbloqueada e tente de novo.",
  session_exists: "Você já está em uma conta. Só dá para usar uma conta por vez.",
  form_identifier_exists: "Este identificador já está em uso. Escolha outro.",
  form_identifier_exists__email_address:
    "Este e-mail já está em uso. Entre na sua conta ou use outro.",
  form_identifier_exists__phone_number: "Este telefone já está em uso. Use outro.",
  form_identifier_exists__username: "Este nome de usuário já está em uso. Escolha outro.",
  form_identifier_not_found: "Não encontramos uma conta com estes dados.",
  form_password_incorrect: "Senha incorreta.",
  form_password_length_too_short: "A senha é curta demais. Use pelo menos 8 caracteres.",
  form_password_size_in_bytes_exceeded: "A senha é longa demais. Use até 256 bytes.",
  form_password_not_strong_enough:
    "A senha é fraca. Junte mais palavras ou misture letras, números e símbolos.",
  form_password_pwned:
    "Esta senha aparece em listas de senhas vazadas. Por segurança, escolha outra.",
  captcha_invalid: "A verificação de segurança não passou. Recarregue a página e tente de novo.",
  captcha_unavailable:
    "A verificação de segurança não carregou. Recarregue a página ou tente em outro navegador.",
  passkey_already_exists: "Este dispositivo já tem uma chave de acesso para esta conta.",
  passkey_not_supported: "Este navegador não aceita chaves de acesso.",
  passkey_pa_not_supported:
    "Este dispositivo não tem leitor de digital, rosto ou PIN para guardar a chave de acesso.",
  passkey_invalid_rpID_or_domain: "A chave de acesso é de outro endereço e não vale aqui.",
  passkey_registration_cancelled: "O cadastro da chave de acesso foi cancelado ou demorou demais.",
  passkey_retrieval_cancelled: "A leitura da chave de acesso foi cancelada ou demorou demais.",
  organization_membership_quota_exceeded: "A organização já tem o máximo de pessoas.",
  not_allowed_access: "Este e-mail não pode criar uma conta aqui.",

  USER_NOT_FOUND: "Não encontramos uma conta com estes dados.",
  FAILED_TO_CREATE_USER: "Não conseguimos criar a conta. Tente de novo.",
  FAILED_TO_CREATE_SESSION: "Não conseguimos abrir a sua sessão. Tente de novo.",
  FAILED_TO_UPDATE_USER: "Não conseguimos salvar a conta. Tente de novo.",
  FAILED_TO_GET_SESSION: "Não conseguimos ler a sua sessão. Entre de novo.",
  INVALID_PASSWORD: "Senha incorreta.",
  INVALID_EMAIL: "Identificador inválido.",
  INVALID_EMAIL_OR_PASSWORD: "Telefone, e-mail, nome de usuário ou senha incorretos.",
  INVALID_USERNAME_OR_PASSWORD: "Telefone, e-mail, nome de usuário ou senha incorretos.",
  INVALID_USER: "Esta conta não vale para este pedido.",
  SOCIAL_ACCOUNT_ALREADY_LINKED: "Esta conta externa já está ligada a outra pessoa.",
  PROVIDER_NOT_FOUND: "Esta forma de entrar não existe aqui.",
  INVALID_TOKEN: "Este link ou código não vale. Peça um novo.",
  TOKEN_EXPIRED: "Esta verificação expirou. Você deve criar uma nova.",
  ID_TOKEN_NOT_SUPPORTED: "Esta forma de entrar não aceita este tipo de confirmação.",
  FAILED_TO_GET_USER_INFO: "Não conseguimos ler os dados da outra conta. Tente de novo.",
  USER_EMAIL_NOT_FOUND: "A outra conta não informou um e-mail.",
  EMAIL_NOT_VERIFIED: "Confirme o seu e-mail antes de continuar.",
  PASSWORD_TOO_SHORT: "A senha é curta demais. Use pelo menos 8 caracteres.",
  PASSWORD_TOO_LONG: "A senha é longa demais. Use até 256 bytes.",
  USER_ALREADY_EXISTS: "Este e-mail já está em uso. Entre na sua conta ou use outro.",
  USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL:
    "Este e-mail já está em uso. Entre na sua conta ou use outro.",
  EMAIL_CAN_NOT_BE_UPDATED: "Este e-mail não pode ser trocado.",
  CHANGE_EMAIL_DISABLED: "A troca de e-mail não está disponível.",
  CREDENTIAL_ACCOUNT_NOT_FOUND:
    "Esta conta não tem senha. Confirme que é você com um código por e-mail.",
  SESSION_EXPIRED: "A sua sessão expirou. Entre de novo.",
  FAILED_TO_UNLINK_LAST_ACCOUNT: "Esta é a sua única forma de entrar e não pode ser desligada.",
  ACCOUNT_NOT_FOUND: "Não encontramos esta conta.",
  USER_ALREADY_HAS_PASSWORD: "Esta conta tem senha. Digite-a para continuar.",
  CROSS_SITE_NAVIGATION_LOGIN_BLOCKED: "Este pedido não veio do Coreto e foi recusado.",
  VERIFICATION_EMAIL_NOT_ENABLED: "A confirmação por e-mail não está disponível.",
  EMAIL_ALREADY_VERIFIED: "Este e-mail já está confirmado.",
  EMAIL_MISMATCH: "Este e-mail não é o da sua conta.",
  SESSION_NOT_FRESH: "Por segurança, confirme a sua senha para continuar.",
  LINKED_ACCOUNT_ALREADY_EXISTS: "Esta conta externa já está ligada.",
  INVALID_ORIGIN: "Este pedido não veio do Coreto e foi recusado.",
  INVALID_CALLBACK_URL: "O endereço de retorno não vale.",
  INVALID_REDIRECT_URL: "O endereço de retorno não vale.",
  INVALID_ERROR_CALLBACK_URL: "O endereço de retorno não vale.",
  INVALID_NEW_USER_CALLBACK_URL: "O endereço de retorno não vale.",
  MISSING_OR_NULL_ORIGIN: "Este pedido não veio do Coreto e foi recusado.",
  CALLBACK_URL_REQUIRED: "Falta o endereço de retorno.",
  FAILED_TO_CREATE_VERIFICATION: "Não conseguimos enviar a confirmação. Tente de novo.",
  FIELD_NOT_ALLOWED: "Este campo não pode ser mudado.",
  ASYNC_VALIDATION_NOT_SUPPORTED: "Não conseguimos conferir os dados. Tente de novo.",
  VALIDATION_ERROR: "Confira os campos.",
  MISSING_FIELD: "Campo obrigatório",
  METHOD_NOT_ALLOWED_DEFER_SESSION_REQUIRED: "Este pedido não é aceito aqui.",
  BODY_MUST_BE_AN_OBJECT: "Não conseguimos ler o pedido.",
  PASSWORD_ALREADY_SET: "Esta conta já tem senha.",
  UNEXPECTED_ERROR: "Algo deu errado. Tente de novo.",
  USERNAME_IS_ALREADY_TAKEN: "Este nome de usuário já está em uso. Escolha outro.",
  USERNAME_TOO_SHORT: "O nome de usuário precisa ter de 3 a 256 caracteres.",
  USERNAME_TOO_LONG: "O nome de usuário precisa ter de 3 a 256 caracteres.",
  INVALID_USERNAME: "Use só letras sem acento, números, ponto, hífen e sublinhado.",
  INVALID_DISPLAY_USERNAME: "Este nome de exibição não vale.",
  USERNAME_IS_IMMUTABLE: "O nome de usuário não pode ser trocado.",
  OTP_NOT_ENABLED: "A verificação em duas etapas por código não está ligada.",
  OTP_NOT_CONFIGURED: "A verificação em duas etapas por código não está disponível.",
  OTP_HAS_EXPIRED: "Esta verificação expirou. Você deve criar uma nova.",
  TOTP_NOT_ENABLED: "O aplicativo autenticador não está ligado nesta conta.",
  TOTP_ALREADY_ENABLED: "O aplicativo autenticador já está ligado nesta conta.",
  TOTP_NOT_CONFIGURED: "O aplicativo autenticador não está disponível.",
  TWO_FACTOR_NOT_ENABLED: "A verificação em duas etapas não está ligada.",
  BACKUP_CODES_NOT_ENABLED: "Esta conta não tem códigos de reserva.",
  INVALID_BACKUP_CODE: "Código de reserva incorreto.",
  INVALID_CODE: "Código incorreto",
  TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE: "Tentativas demais sem acertar. Peça um novo código.",
  INVALID_TWO_FACTOR_COOKIE: "A sua entrada demorou demais. Comece de novo.",
  ACCOUNT_TEMPORARILY_LOCKED:
    "Esta conta está descansando por alguns minutos. Tente de novo em breve.",
} as const;

export type IdentityCode = keyof typeof IDENTITY_MESSAGES;

/** Returns the message of a provider's code. An unknown code gets a message that says what to do. */
export function identityMessage(code: string | undefined): string {
  return isIdentityCode(code) ? IDENTITY_MESSAGES[code] : IDENTITY_MESSAGES.UNEXPECTED_ERROR;
}

function isIdentityCode(code: string | undefined): code is IdentityCode {
  return code !== undefined && Object.hasOwn(IDENTITY_MESSAGES, code);
}

/** A refusal with a message of the table. */
class IdentityRefusal extends Refusal {
  constructor(kind: RefusalKind, code: IdentityCode, field?: string) {
    super(kind, IDENTITY_MESSAGES[code], field);
  }
}

/** The same for an unknown account and a wrong password, so that nobody learns who has an account. */
export class WrongCredentials extends IdentityRefusal {
  constructor() {
    super("unauthenticated", "INVALID_EMAIL_OR_PASSWORD");
  }
}

/** Spec section 8: `too_many_requests`. */
export class TooManyAttempts extends IdentityRefusal {
  constructor() {
    super("limit", "too_many_requests");
  }
}

/** `way` is where a code by email opens the account, which wrong passwords of strangers cannot shut. */
export class TooManyPasswordAttempts extends Refusal {
  constructor({ way }: { way: string }) {
    super(
      "limit",
      "Muitas tentativas com senha nesta conta ou nesta rede. Espere 10 minutos, ou entre agora com um código que enviamos ao seu e-mail ou telefone.",
      undefined,
      { to: way, text: "Entrar com um código" },
    );
  }
}

export class EmailTaken extends IdentityRefusal {
  constructor(field: "email" | "code" = "email") {
    super("conflict", "form_identifier_exists__email_address", field);
  }
}

export class UsernameTaken extends IdentityRefusal {
  constructor() {
    super("conflict", "form_identifier_exists__username", "username");
  }
}

export class CodeIncorrect extends IdentityRefusal {
  constructor() {
    super("invalid", "form_code_incorrect", "code");
  }
}

export class VerificationExpired extends IdentityRefusal {
  constructor() {
    super("conflict", "verification_expired", "code");
  }
}

/** Too many wrong codes: this code is dead, and the person can request a new one. */
export class VerificationFailed extends IdentityRefusal {
  constructor() {
    super("limit", "verification_failed", "code");
  }
}

export class VerificationNotSent extends IdentityRefusal {
  constructor() {
    super("conflict", "verification_not_sent", "code");
  }
}

export class VerificationUsed extends IdentityRefusal {
  constructor() {
    super("conflict", "verification_already_verified", "code");
  }
}

/** The link is not ours, or a newer one replaced it. */
export class LinkInvalid extends IdentityRefusal {
  constructor() {
    super("not_found", "verification_link_failed");
  }
}

/** The link was opened in another browser than the one that requested it. */
export class LinkClientMismatch extends IdentityRefusal {
  constructor() {
    super("forbidden", "verification_client_mismatch");
  }
}

/** Emails are resent at most once in half a minute. `waitSeconds` is what is left. */
export class ResendTooSoon extends Refusal {
  constructor(waitSeconds: number) {
    super("limit", `Acabamos de enviar. Espere ${waitSeconds} segundos para pedir de novo.`);
  }
}

export class CurrentPasswordWrong extends IdentityRefusal {
  constructor() {
    super("invalid", "form_password_incorrect", "currentPassword");
  }
}

/** The password is among those that attackers try first. */
export class PasswordCompromised extends IdentityRefusal {
  constructor() {
    super("invalid", "form_password_pwned", "password");
  }
}

/** Signed in at the provider, but banned here. */
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

/**
 * Required before changes of money and identity. `way` leads to the page that reauthenticates. The
 * form keeps what was typed.
 */
export class ReauthenticationRequired extends Refusal {
  constructor({ before, way }: { before: string; way: string }) {
    super(
      "unauthenticated",
      `Antes de ${before}, confirme de novo que é você: faz mais de 10 minutos. Depois volte para cá e envie outra vez; o que você digitou continua aqui.`,
      undefined,
      { to: way, text: "Confirmar que é você" },
    );
  }
}
