/** An email without its address and key. */
export type EmailContent = { subject: string; body: string };

type CodeAndLink = { code: string; link: string | null };

const SIGNATURE = "Coreto";
const NOT_YOU = "Se não foi você, ignore este e-mail: nada muda.";

/**
 * Starts a registration. An e-mail with an account gets exactly the same. `isPurchase`: the account
 * is created with a guest's purchase.
 */
export function registrationEmail({
  isPurchase,
  ...sent
}: CodeAndLink & { isPurchase: boolean }): EmailContent {
  const purpose = isPurchase ? "confirmar sua compra" : "criar a sua conta";
  return emailContent(`${sent.code} é o código para ${purpose} no Coreto`, [
    `Para ${purpose} no Coreto, digite este código:`,
    ...codeAndLink(sent),
    NOT_YOU,
  ]);
}

/** Verifies an address that the account has or adds. */
export const verificationEmail = (sent: CodeAndLink): EmailContent =>
  emailContent(`${sent.code} é o seu código do Coreto`, [
    "Para confirmar este e-mail, digite este código no Coreto:",
    ...codeAndLink(sent),
    NOT_YOU,
  ]);

export const passwordResetEmail = (sent: CodeAndLink): EmailContent =>
  emailContent(`${sent.code} é o código para criar uma nova senha`, [
    "Para criar uma nova senha no Coreto, digite este código:",
    ...codeAndLink(sent),
    NOT_YOU,
  ]);

/** "Entrar com um código". */
export const signInCodeEmail = ({ code }: { code: string }): EmailContent =>
  emailContent(`${code} é o código para entrar no Coreto`, [
    "Para entrar na sua conta do Coreto, digite este código:",
    ...codeAndLink({ code, link: null }),
    NOT_YOU,
  ]);

/** "Confirme que é você", of an account without a password. */
export const ownCodeEmail = ({ code }: { code: string }): EmailContent =>
  emailContent(`${code} é o código para confirmar que é você`, [
    "Para confirmar no Coreto que é você, digite este código:",
    ...codeAndLink({ code, link: null }),
    "Se não foi você, alguém está usando a sua conta: encerre as outras sessões em Ajustes, Acesso e segurança.",
  ]);

/**
 * Sent after any change of the password. `reset` is the URL of "Esqueci minha senha". `waysLeft`
 * lists the access that the new password does not close.
 */
export const passwordChangedEmail = ({
  reset,
  waysLeft = [],
}: {
  reset: string;
  waysLeft?: readonly string[];
}): EmailContent =>
  emailContent("A sua senha mudou", [
    "A senha da sua conta do Coreto acabou de mudar, e as outras sessões foram encerradas.",
    `Se não foi você, crie uma nova agora: ${reset}`,
    ...waysLeft,
  ]);

function codeAndLink({ code, link }: CodeAndLink): string[] {
  const lines = [code, "Ele vale por 10 minutos."];
  return link === null
    ? lines
    : [...lines, `Ou abra este link no mesmo navegador em que você pediu:\n${link}`];
}

/** Joins the paragraphs and the signature. */
export function emailContent(subject: string, paragraphs: readonly string[]): EmailContent {
  return { subject, body: [...paragraphs, SIGNATURE].join("\n\n") };
}
