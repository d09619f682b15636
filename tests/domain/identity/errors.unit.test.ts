import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { IDENTITY_MESSAGES, identityMessage } from "#app/domain/identity/errors.ts";
import { localAuth } from "#app/integrations/local-identity/auth.server.ts";

/** The texts of section 8 of the specification, verbatim. */
test.each([
  ["form_code_incorrect", "Código incorreto"],
  ["form_param_nil", "Campo obrigatório"],
  ["verification_expired", "Esta verificação expirou. Você deve criar uma nova."],
  ["too_many_requests", "Muitas solicitações. Por favor, tente novamente em breve."],
  ["form_param_format_invalid", "Identificador inválido."],
])("%s shows %j", (code, text) => {
  expect(identityMessage(code)).toBe(text);
});

/** The errors of section 8 of the specification without a text there. */
test.each([
  ["oauth_access_denied", /Google/],
  ["session_exists", /uma conta por vez/],
  ["verification_failed", /mesmo método ou com outro/],
  ["verification_not_sent", /código antes/],
  ["form_identifier_exists__email_address", /e-mail já está em uso/],
  ["form_identifier_exists__phone_number", /telefone já está em uso/],
  ["form_identifier_exists__username", /nome de usuário já está em uso/],
  ["form_identifier_not_found", /Não encontramos/],
  ["form_password_incorrect", /incorreta/],
  ["form_password_length_too_short", /curta/],
  ["form_password_not_strong_enough", /fraca/],
  ["form_password_pwned", /vazadas/],
  ["form_password_size_in_bytes_exceeded", /longa/],
  ["captcha_invalid", /segurança/],
  ["captcha_unavailable", /segurança/],
  ["passkey_already_exists", /chave de acesso/],
  ["passkey_not_supported", /chaves de acesso/],
  ["passkey_pa_not_supported", /chave de acesso/],
  ["passkey_invalid_rpID_or_domain", /chave de acesso/],
  ["passkey_registration_cancelled", /chave de acesso/],
  ["passkey_retrieval_cancelled", /chave de acesso/],
  ["organization_membership_quota_exceeded", /máximo/],
  ["not_allowed_access", /não pode criar/],
])("%s has a message", (code, text) => {
  expect(identityMessage(code)).toMatch(text);
});

/** Every way in which the sign-in by an external account or a wallet can fail. */
test.each([
  ["oauth_access_denied__other", /não foi concedido/],
  ["oauth_provider_unavailable", /não respondeu.*outra forma/],
  ["oauth_answer_refused", /Comece de novo/],
  ["oauth_attempt_expired", /10 minutos/],
  ["oauth_attempt_used", /Comece de novo/],
  ["oauth_client_mismatch", /mesmo navegador/],
  ["oauth_session_changed", /sessão mudou/],
  ["oauth_account_mismatch", /Escolha a mesma/],
  ["oauth_last_way", /Crie uma senha/],
  ["oauth_too_many", /máximo de 10/],
  ["oauth_offer_gone", /Comece de novo/],
  ["SOCIAL_ACCOUNT_ALREADY_LINKED", /outra pessoa/],
  ["LINKED_ACCOUNT_ALREADY_EXISTS", /já está ligada/],
  ["ACCOUNT_NOT_FOUND", /Não encontramos/],
  ["PROVIDER_NOT_FOUND", /não existe/],
  ["CREDENTIAL_ACCOUNT_NOT_FOUND", /código por e-mail/],
  ["web3_message_invalid", /Comece de novo/],
  ["web3_message_expired", /Comece de novo/],
  ["web3_signature_invalid", /tente de novo/],
  ["web3_contract_wallet", /chave própria/],
  ["web3_wrong_network", /rede principal/],
  ["web3_wallet_missing", /Instale uma/],
  ["web3_request_rejected", /Nada mudou/],
  ["web3_request_pending", /responda/],
  ["web3_account_switched", /Tente de novo/],
  ["web3_wallet_failed", /tente de novo/],
])("%s says what to do", (code, text) => {
  expect(identityMessage(code)).toMatch(text);
});

test("every error code of the embedded identity library has its own Portuguese message", () => {
  const nowhere = new DatabaseSync(":memory:") as unknown as D1Database;
  const auth = localAuth({ db: nowhere, secret: "s".repeat(32), origin: "https://coreto.test" });
  const codes = Object.keys(auth.$ERROR_CODES);
  expect(codes.length).toBeGreaterThan(40);
  expect(codes.filter((code) => !Object.hasOwn(IDENTITY_MESSAGES, code))).toEqual([]);
});

test("an unknown error code still says what to do", () => {
  expect(identityMessage("SOMETHING_NEW")).toBe("Algo deu errado. Tente de novo.");
  expect(identityMessage(undefined)).toBe("Algo deu errado. Tente de novo.");
  expect(identityMessage("toString")).toBe("Algo deu errado. Tente de novo.");
});

test("no message is in English, empty, or too long for a phone screen", () => {
  for (const text of Object.values(IDENTITY_MESSAGES)) {
    expect(text.length).toBeGreaterThan(8);
    expect(text.length).toBeLessThan(120);
    expect(text).not.toMatch(/\b(the|password|user|email|invalid|failed|not)\b/i);
  }
});
