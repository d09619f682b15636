export type MailAddress = { name: string; email: string };

type MailSenderVariables = { readonly [name: string]: unknown };
type MailSenderResult = { from: MailAddress | null; problems: string[] };

const WRITTEN = /^(?<name>[^<>"@\r\n]{1,60}?)\s*<(?<email>[^\s@<>"]+@[^\s@<>"]+\.[^\s@<>"]+)>$/;

/**
 * Reads `MAIL_FROM`, the sender of emails, as `Coreto <avisos@coreto.com.br>`. A local build may
 * leave it out (null): the console's inbox stores its emails. A deployed product does not start
 * without it, because no code or notification would arrive. Pure; problems in Portuguese.
 */
export function readMailSender(source: MailSenderVariables, isLocal = __LOCAL__): MailSenderResult {
  const text = typeof source.MAIL_FROM === "string" ? source.MAIL_FROM.trim() : "";
  if (text === "")
    return {
      from: null,
      problems: isLocal
        ? []
        : ["MAIL_FROM: falta um valor; códigos, recibos e avisos saem deste endereço"],
    };
  const { name, email } = WRITTEN.exec(text)?.groups ?? {};
  if (!name || !email)
    return {
      from: null,
      problems: [
        "MAIL_FROM: precisa ser um nome e um endereço, como Coreto <avisos@coreto.com.br>",
      ],
    };
  return { from: { name, email }, problems: [] };
}
