import { formatMoney } from "#app/domain/money.ts";
import type { Told } from "#app/domain/notifications/schema.ts";
import type { OutboxMessage } from "#app/domain/outbox.server.ts";

type Message = Extract<OutboxMessage, { type: "ledger.broken" | "platform.withdrawal_asked" }>;

export const isOfLedger = (message: OutboxMessage): message is Message => message.type === "ledger.broken" || message.type === "platform.withdrawal_asked";

/** What whoever moderates is told of the books. A rule that breaks wakes them, by mail too. */
export function ledgerTold(message: Message): Told[] {
  const { type, moderatorIds } = message;
  if (type === "platform.withdrawal_asked") {
    const body = `Uma retirada da plataforma de ${formatMoney(message.amountCents)}, do provedor ${message.provider}, espera outra pessoa aprovar.`;
    return moderatorIds.map((personId) => ({ personId, kind: type, body, path: "/admin/ledger/platform", mail: null }));
  }
  const { titles, holdsPayouts } = message;
  const body = `${titles.length === 1 ? "Uma regra do livro-razão quebrou" : `${titles.length} regras do livro-razão quebraram`}${holdsPayouts ? ", e os saques estão parados" : ""}: ${titles.join("; ")}.`;
  return moderatorIds.map((personId) => ({ personId, kind: type, body, path: "/admin/ledger", mail: { subject: "O livro-razão não fecha", body } }));
}
