import { quoted } from "#app/domain/text.ts";
import type { EmailContent } from "./emails.ts";

/** A change of how an account is accessed. */
export type SecurityChange =
  | { kind: "passkey_added" | "passkey_removed" | "key_created" | "key_revoked"; name: string }
  | { kind: "second_factor_on" | "second_factor_off" | "backup_codes_renewed" };

/** What can still access an account after a password change. */
export type RemainingAccess = { passkeys: readonly string[]; keys: readonly string[] };

type SecurityLinks = { account: string; reset: string };

/**
 * The email to the primary address about a change of how the account is accessed. Says what
 * changed, and what to do if it was somebody else.
 */
export function securityChangeEmail(
  change: SecurityChange,
  { account, reset }: SecurityLinks,
): EmailContent {
  const { subject, body } = textsOf(change);
  return {
    subject,
    body: [
      body,
      `Não foi você? Crie uma nova senha agora, o que encerra todas as sessões: ${reset}`,
      `Depois confira o que mais abre a sua conta: ${account}`,
      "Coreto",
    ].join("\n\n"),
  };
}

function textsOf(change: SecurityChange): { subject: string; body: string } {
  switch (change.kind) {
    case "passkey_added":
      return {
        subject: "Uma chave de acesso foi criada",
        body: `A chave de acesso ${quoted(change.name)} agora abre a sua conta do Coreto, sem senha.`,
      };
    case "passkey_removed":
      return {
        subject: "Uma chave de acesso foi removida",
        body: `A chave de acesso ${quoted(change.name)} não abre mais a sua conta do Coreto.`,
      };
    case "key_created":
      return {
        subject: "Uma chave de API foi criada",
        body: `A chave de API ${quoted(change.name)} agora lê o Coreto em seu nome.`,
      };
    case "key_revoked":
      return {
        subject: "Uma chave de API foi revogada",
        body: `A chave de API ${quoted(change.name)} não lê mais nada em seu nome.`,
      };
    case "second_factor_on":
      return {
        subject: "A verificação em duas etapas foi ligada",
        body: "Para entrar na sua conta do Coreto agora é preciso, além da senha, um código do seu aplicativo. As outras sessões foram encerradas.",
      };
    case "second_factor_off":
      return {
        subject: "A verificação em duas etapas foi desligada",
        body: "A senha voltou a bastar para entrar na sua conta do Coreto.",
      };
    case "backup_codes_renewed":
      return {
        subject: "Seus códigos de reserva mudaram",
        body: "Foram gerados novos códigos de reserva para a sua conta do Coreto. Os antigos não abrem mais nada.",
      };
  }
}

/**
 * Lists the access that a new password does not close. The owner of a stolen account can close it
 * too. Empty when there is none.
 */
export function remainingAccessLines(
  { passkeys, keys }: RemainingAccess,
  account: string,
): string[] {
  const lines = [
    ...(passkeys.length > 0
      ? [`Chaves de acesso que continuam abrindo a conta: ${passkeys.join(", ")}.`]
      : []),
    ...(keys.length > 0
      ? [`Chaves de API que continuam lendo em seu nome: ${keys.join(", ")}.`]
      : []),
  ];
  return lines.length > 0 ? [...lines, `Não reconhece alguma? Remova-a: ${account}`] : [];
}
