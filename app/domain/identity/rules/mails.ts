/** A mail without its address and key. */
export type Letter = { subject: string; body: string };

type Sent = { code: string; link: string | null };

const SIGNATURE = "Coreto";
const NOT_YOU = "Se não foi você, ignore este e-mail: nada muda.";

/** Proves that an address is its account's. */
export const verificationLetter = (sent: Sent): Letter =>
  letter(`${sent.code} é o seu código do Coreto`, ["Para confirmar o seu e-mail, digite este código no Coreto:", ...codeAndLink(sent), NOT_YOU]);

/** To the new address: proves it before it takes the place of the old one. */
export const emailChangeLetter = (sent: Sent): Letter =>
  letter(`${sent.code} é o código para trocar o seu e-mail`, [
    "Para usar este e-mail na sua conta do Coreto, digite este código:",
    ...codeAndLink(sent),
    NOT_YOU,
  ]);

/** To the old address, once the new one took its place. */
export const emailChangedLetter = ({ newEmail }: { newEmail: string }): Letter =>
  letter("O e-mail da sua conta mudou", [
    `A sua conta do Coreto agora usa ${newEmail}.`,
    "Se não foi você, responda a este e-mail agora: nós seguramos a conta enquanto conferimos.",
  ]);

export const resetLetter = (sent: Sent): Letter =>
  letter(`${sent.code} é o código para criar uma nova senha`, ["Para criar uma nova senha no Coreto, digite este código:", ...codeAndLink(sent), NOT_YOU]);

/** After any change of the password; `reset` is the address of "Esqueci minha senha". */
export const passwordChangedLetter = ({ reset }: { reset: string }): Letter =>
  letter("A sua senha mudou", [
    "A senha da sua conta do Coreto acabou de mudar, e as outras sessões foram encerradas.",
    `Se não foi você, crie uma nova agora: ${reset}`,
  ]);

/** To somebody who has an account, when its e-mail was used to create another. */
export const signUpAttemptLetter = ({ login, reset }: { login: string; reset: string }): Letter =>
  letter("Você já tem uma conta no Coreto", [
    "Alguém tentou criar uma conta no Coreto com este e-mail, que já tem uma.",
    `Se foi você, entre: ${login}`,
    `Esqueceu a senha? ${reset}`,
    NOT_YOU,
  ]);

function codeAndLink({ code, link }: Sent): string[] {
  const lines = [code, "Ele vale por 10 minutos."];
  return link === null ? lines : [...lines, `Ou abra este link no mesmo navegador em que você pediu:\n${link}`];
}

function letter(subject: string, paragraphs: readonly string[]): Letter {
  return { subject, body: [...paragraphs, SIGNATURE].join("\n\n") };
}
