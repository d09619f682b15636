import { formatMoney } from "#app/domain/money.ts";
import type { LedgerMessage } from "#app/domain/ledger/schema/outbox.ts";
import type { NotificationRenderers, NotificationDraft } from "#app/domain/outbox.ts";

/** What whoever moderates is told of the books. A rule that breaks wakes them, by mail too. */
export const ledgerNotifications: NotificationRenderers<LedgerMessage> = {
  "ledger.broken": brokenTold,
  "platform.withdrawal_asked": (message) => {
    const body = `Uma retirada da plataforma de ${formatMoney(message.amountCents)}, do provedor ${message.provider}, espera outra pessoa aprovar.`;
    return message.moderatorIds.map((personId) => ({
      personId,
      kind: message.type,
      body,
      path: "/admin/ledger/platform",
      mail: null,
    }));
  },
};

function brokenTold(
  message: Extract<LedgerMessage, { type: "ledger.broken" }>,
): NotificationDraft[] {
  const { type, moderatorIds } = message;
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
