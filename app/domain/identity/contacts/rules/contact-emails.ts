import type { ContactKind } from "./contacts.ts";
import { emailContent } from "#app/domain/identity/emails/rules/emails.ts";
import type { EmailContent } from "#app/domain/identity/emails/rules/emails.ts";

/** Links to recover the account if somebody else made the change. */
type RecoveryLinks = { reset: string; contacts: string };
type ChangedContact = RecoveryLinks & { kind: ContactKind; address: string };

const NAMES = {
  email: { noun: "e-mail", place: "E-mails" },
  phone: { noun: "telefone", place: "Telefones" },
} as const;

/** The email to the primary address after another address or phone can open the account. */
export const contactAddedEmail = ({ kind, address, ...ways }: ChangedContact): EmailContent =>
  emailContent(`Um ${NAMES[kind].noun} foi adicionado à sua conta`, [
    `Agora o ${NAMES[kind].noun} ${address} também abre a sua conta do Coreto.`,
    `Se não foi você, crie uma nova senha agora: ${ways.reset}\nDepois remova o ${NAMES[kind].noun} em ${NAMES[kind].place}: ${ways.contacts}`,
  ]);

/** The email to the primary address after one cannot open the account any more. */
export const contactRemovedEmail = ({ kind, address, ...ways }: ChangedContact): EmailContent =>
  emailContent(`Um ${NAMES[kind].noun} foi removido da sua conta`, [
    `O ${NAMES[kind].noun} ${address} não abre mais a sua conta do Coreto.`,
    `Se não foi você, crie uma nova senha agora: ${ways.reset}\nDepois adicione-o de novo em ${NAMES[kind].place}: ${ways.contacts}`,
  ]);

/** The email to the former primary address, which stays one of the account's. */
export const primaryEmailChangedEmail = ({
  address,
  reset,
  contacts,
}: RecoveryLinks & { address: string }): EmailContent =>
  emailContent("O e-mail principal da sua conta mudou", [
    `Recibos e avisos da sua conta do Coreto agora vão para ${address}.`,
    `Se não foi você, crie uma nova senha agora, com este e-mail: ${reset}\nDepois torne este o principal de novo: ${contacts}`,
  ]);

/** The email to the primary address after the account's primary phone changed. */
export const primaryPhoneChangedEmail = ({
  address,
  reset,
  contacts,
}: RecoveryLinks & { address: string }): EmailContent =>
  emailContent("O telefone principal da sua conta mudou", [
    `O telefone principal da sua conta do Coreto agora é ${address}.`,
    `Se não foi você, crie uma nova senha agora: ${reset}\nDepois confira os seus telefones: ${contacts}`,
  ]);

/** The email to the primary address after the account's username changed. */
export const usernameChangedEmail = ({
  username,
  former,
  reset,
  account,
}: {
  username: string;
  former: string;
  reset: string;
  account: string;
}): EmailContent =>
  emailContent("O seu nome de usuário mudou", [
    `No Coreto, @${former} agora é @${username}. Por um ano, o endereço antigo leva à sua página e não pode ser de outra pessoa.`,
    `Se não foi você, crie uma nova senha agora: ${reset}\nDepois volte ao seu nome de usuário: ${account}`,
  ]);

/**
 * Writes the text message of a code. It shows on a locked screen to anybody with the phone, so
 * `act` says what the code is for.
 */
export const codeTextMessage = ({ code, act }: { code: string; act: string }): string =>
  `Coreto: ${code} é o seu código para ${act}. Vale por 10 minutos. Não passe para ninguém.`;
