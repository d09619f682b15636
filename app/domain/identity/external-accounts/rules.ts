import type { EmailContent } from "#app/domain/identity/emails/rules/emails.ts";

type ExternalAccountName = { name: string; label: string };

/**
 * The email to the primary address after a sign-in method was added. `connections` is the URL of
 * the page that removes it.
 */
export const externalAccountConnectedEmail = ({
  name,
  label,
  connections,
}: ExternalAccountName & { connections: string }): EmailContent => ({
  subject: `${name}: nova forma de entrar na sua conta`,
  body: [
    `Agora é possível entrar na sua conta do Coreto com ${name} (${label}).`,
    `Se não foi você, desligue agora e troque a senha: ${connections}`,
    "Coreto",
  ].join("\n\n"),
});

/**
 * The email to the primary address after a sign-in method was removed. `reset` is the URL of
 * "Esqueci minha senha".
 */
export const externalAccountDisconnectedEmail = ({
  name,
  label,
  reset,
}: ExternalAccountName & { reset: string }): EmailContent => ({
  subject: `${name}: já não entra na sua conta`,
  body: [
    `A sua conta do Coreto já não abre com ${name} (${label}).`,
    `Se não foi você, crie uma nova senha agora: ${reset}`,
    "Coreto",
  ].join("\n\n"),
});

/**
 * The email to the primary address after the first password of an account made by an external
 * sign-in.
 */
export const firstPasswordEmail = ({ reset }: { reset: string }): EmailContent => ({
  subject: "A sua conta agora tem senha",
  body: [
    "Uma senha foi criada para a sua conta do Coreto.",
    `Se não foi você, crie outra agora: ${reset}`,
    "Coreto",
  ].join("\n\n"),
});
