import type { Letter } from "#app/domain/identity/rules/mails.ts";

type Told = { name: string; label: string };

/**
 * To the primary e-mail, after one more way in. `connections` is the address of the page that takes
 * it back.
 */
export const outsideConnectedLetter = ({
  name,
  label,
  connections,
}: Told & { connections: string }): Letter => ({
  subject: `${name}: nova forma de entrar na sua conta`,
  body: [
    `Agora é possível entrar na sua conta do Coreto com ${name} (${label}).`,
    `Se não foi você, desligue agora e troque a senha: ${connections}`,
    "Coreto",
  ].join("\n\n"),
});

/** To the primary e-mail, after one way in less. `reset` is the address of "Esqueci minha senha". */
export const outsideDisconnectedLetter = ({
  name,
  label,
  reset,
}: Told & { reset: string }): Letter => ({
  subject: `${name}: já não entra na sua conta`,
  body: [
    `A sua conta do Coreto já não abre com ${name} (${label}).`,
    `Se não foi você, crie uma nova senha agora: ${reset}`,
    "Coreto",
  ].join("\n\n"),
});

/** To the primary e-mail, after the first password of an account that came from outside. */
export const passwordMadeLetter = ({ reset }: { reset: string }): Letter => ({
  subject: "A sua conta agora tem senha",
  body: [
    "Uma senha foi criada para a sua conta do Coreto.",
    `Se não foi você, crie outra agora: ${reset}`,
    "Coreto",
  ].join("\n\n"),
});
