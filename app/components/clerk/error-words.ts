const AGAIN = "Algo deu errado. Tente de novo em alguns instantes.";
const TAKEN = "já está em uso. Por favor, tente outro.";
const SECURITY_CHECK = "A verificação de segurança não terminou. Tente de novo.";

/**
 * Clerk's error codes in Portuguese, from three sources. The spec, section 8, gives exact texts.
 * `ptBR` leaves some codes in English. Clerk also returns codes that it has no text for. The
 * look-up is `<code>__<param>`, then `<code>`.
 */
export const errorTexts: Record<string, string> = {
  // Spec, section 8.
  form_code_incorrect: "Código incorreto",
  form_param_nil: "Campo obrigatório",
  form_param_format_invalid: "Identificador inválido.",
  verification_expired: "Esta verificação expirou. Você deve criar uma nova.",
  verification_failed:
    "Foram tentativas erradas demais. Tente de novo com este ou com outro método.",
  verification_not_sent: "Envie um código antes de verificar.",
  too_many_requests: "Muitas solicitações. Por favor, tente novamente em breve.",
  session_exists: "Você já está conectado. Só dá para usar uma conta por vez.",
  oauth_access_denied: "Você não autorizou o acesso à sua conta do Google.",
  // Codes that ptBR leaves undefined.
  action_blocked: "Não foi possível concluir. Tente de novo mais tarde ou fale com o suporte.",
  api_key_name_already_exists: "Já existe uma chave com este nome.",
  api_key_usage_exceeded: "Você chegou ao limite de uso da chave.",
  form_password_compromised__sign_in:
    "Esta senha apareceu em um vazamento. Entre de outro jeito e escolha uma nova.",
  form_password_matches_identifier:
    "A senha não pode ser igual ao seu e-mail, telefone ou nome de usuário.",
  insufficient_seats_change_plan: "A sua equipe não tem lugares para tantos convites.",
  insufficient_seats_contact_support:
    "A sua equipe não tem lugares para tantos convites. Fale com o suporte.",
  protect_check_aborted: SECURITY_CHECK,
  protect_check_already_resolved: SECURITY_CHECK,
  protect_check_execution_failed: SECURITY_CHECK,
  protect_check_invalid_script:
    "A verificação de segurança não abriu. Fale com o suporte se continuar assim.",
  protect_check_invalid_sdk_url: "A verificação de segurança não começou. Fale com o suporte.",
  protect_check_script_load_failed:
    "A verificação de segurança não abriu. Confira a internet e tente de novo.",
  protect_check_timed_out: "A verificação de segurança demorou demais. Tente de novo.",
  protect_check_unsupported_environment:
    "A verificação de segurança não funciona neste navegador. Use outro.",
  ticket_expired_code: "Este link expirou. Comece de novo ou peça outro.",
  ticket_invalid_code: "Este link não vale mais ou já foi usado. Comece de novo ou peça outro.",
  // Codes that Clerk returns without a text.
  authentication_invalid: "A sua sessão terminou. Entre de novo.",
  client_not_found: "A sua sessão terminou. Entre de novo.",
  external_account_exists: "Esta conta externa já está ligada a outra pessoa.",
  external_account_not_found: "Não há conta com este acesso externo. Crie uma conta.",
  form_conditional_param_missing: "Campo obrigatório",
  form_data_missing: "Campo obrigatório",
  form_identifier_exists: `Este identificador ${TAKEN}`,
  form_param_missing: "Campo obrigatório",
  form_param_unknown: AGAIN,
  form_param_duplicate: AGAIN,
  form_param_exceeds_allowed_size: "O texto é longo demais.",
  form_password_length_too_long: "Sua senha é longa demais.",
  form_password_no_lowercase: "Sua senha precisa de uma letra minúscula.",
  form_password_no_number: "Sua senha precisa de um número.",
  form_password_no_special_char: "Sua senha precisa de um caractere especial.",
  form_password_no_uppercase: "Sua senha precisa de uma letra maiúscula.",
  identification_not_found: "Não foi possível encontrar o usuário.",
  internal_clerk_error: AGAIN,
  invitation_account_not_exists: "Este convite é para quem ainda não tem conta.",
  network_error: "Não deu para falar com o serviço. Confira a internet e tente de novo.",
  resource_forbidden: "Você não pode fazer isso.",
  resource_not_found: "Isso não existe mais.",
  session_not_found: "A sua sessão terminou. Entre de novo.",
  sign_in_no_identification_for_user: "Comece de novo: digite o seu e-mail ou nome de usuário.",
  sign_up_mode_restricted: "Não estamos abrindo contas agora.",
  sign_up_restricted_waitlist: "Não estamos abrindo contas agora.",
  signed_out: "A sua sessão terminou. Entre de novo.",
  strategy_for_user_invalid: "Este jeito de entrar não vale para esta conta. Use outro.",
  user_banned: "Esta conta está suspensa.",
  user_deactivated: "Esta conta está desativada.",
  user_locked:
    "Foram tentativas erradas demais. A conta ficou fechada por um tempo; tente de novo mais tarde.",
  verification_already_verified: "Isto já está confirmado.",
  verification_link_token_expired: "Este link expirou. Peça outro.",
  verification_missing: "Envie um código antes de verificar.",
  verification_strategy_invalid: "Este jeito de confirmar não vale aqui. Use outro.",
};
