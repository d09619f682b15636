import { formatMoney } from "#app/domain/money.ts";
import type { Told } from "#app/domain/notifications/schema.ts";
import type { OutboxMessage } from "#app/domain/outbox.server.ts";

type Message = Extract<
  OutboxMessage,
  {
    type:
      | "ledger.broken"
      | "platform.withdrawal_asked"
      | "reconciliation.explanation_asked"
      | "fiscal.late"
      | "fiscal.no_issuer";
  }
>;

export const isOfLedger = (message: OutboxMessage): message is Message =>
  [
    "ledger.broken",
    "platform.withdrawal_asked",
    "reconciliation.explanation_asked",
    "fiscal.late",
    "fiscal.no_issuer",
  ].includes(message.type);

/** What whoever moderates is told of the books. A rule that breaks wakes them, by mail too. */
export function ledgerTold(message: Message): Told[] {
  const { type, moderatorIds } = message;
  if (type === "platform.withdrawal_asked") {
    const body = `Uma retirada da plataforma de ${formatMoney(message.amountCents)}, do provedor ${message.provider}, espera outra pessoa aprovar.`;
    return moderatorIds.map((personId) => ({
      personId,
      kind: type,
      body,
      path: "/admin/ledger/platform",
      mail: null,
    }));
  }
  if (type === "reconciliation.explanation_asked") {
    const body = `A explicação de uma diferença de ${formatMoney(message.gapCents)} com um provedor espera outra pessoa concordar.`;
    return moderatorIds.map((personId) => ({
      personId,
      kind: type,
      body,
      path: `/admin/reconciliation/${message.differenceId}`,
      mail: null,
    }));
  }
  if (type === "fiscal.late") {
    const body = lateWords(message);
    return moderatorIds.map((personId) => ({
      personId,
      kind: type,
      body,
      path: message.why === "not_taken" ? `/admin/fiscal/${message.month}` : "/admin/fiscal",
      mail: { subject: "As notas da taxa estão atrasadas", body },
    }));
  }
  if (type === "fiscal.no_issuer") {
    const body = `As notas de ${wordsOf(message.month)} esperam: falta o cadastro de quem as emite (${message.missing.join(", ")}). Nada é numerado nem escrito até lá.`;
    return moderatorIds.map((personId) => ({
      personId,
      kind: type,
      body,
      path: "/admin/fiscal",
      mail: { subject: "Falta o cadastro de quem emite as notas da taxa", body },
    }));
  }
  const { titles, moreTitles = [], holdsPayouts, path = "/admin/ledger" } = message;
  const held = holdsPayouts ? ", e os saques estão parados" : "";
  const body = [
    ...(titles.length > 0
      ? [
          `${titles.length === 1 ? "Uma regra do livro-razão quebrou" : `${titles.length} regras do livro-razão quebraram`}${held}: ${titles.join("; ")}.`,
        ]
      : []),
    ...(moreTitles.length > 0
      ? [
          `${moreTitles.length === 1 ? "Uma regra que já estava quebrada tem casos novos" : `${moreTitles.length} regras que já estavam quebradas têm casos novos`}${titles.length > 0 ? "" : held}: ${moreTitles.join("; ")}.`,
        ]
      : []),
  ].join(" ");
  return moderatorIds.map((personId) => ({
    personId,
    kind: type,
    body,
    path,
    mail: {
      subject: holdsPayouts ? "O livro-razão não fecha" : "Uma regra do livro-razão quebrou",
      body,
    },
  }));
}

function lateWords({ month, why, dueOn }: Extract<Message, { type: "fiscal.late" }>): string {
  const [named, last] = [wordsOf(month), wordsOf(dueOn)];
  if (why === "not_taken")
    return `Os arquivos de notas de ${named} estão prontos, e ninguém disse que os levou à prefeitura. O último dia era ${last}.`;
  return `Os arquivos de notas de ${named} ainda não foram escritos. O último dia para a prefeitura era ${last}.`;
}

/** A day or a month of the calendar as it is read: "12/04/2026", "04/2026". */
const wordsOf = (iso: string): string => iso.split("-").toReversed().join("/");
