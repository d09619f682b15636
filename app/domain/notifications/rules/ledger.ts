import type { Told } from "#app/domain/notifications/schema.ts";
import type { OutboxMessage } from "#app/domain/outbox.server.ts";

/** A rule of the books broke: whoever moderates is woken, by mail too. */
export function ledgerTold({ type, moderatorIds, titles, holdsPayouts }: Extract<OutboxMessage, { type: "ledger.broken" }>): Told[] {
  const body = `${titles.length === 1 ? "Uma regra do livro-razão quebrou" : `${titles.length} regras do livro-razão quebraram`}${holdsPayouts ? ", e os saques estão parados" : ""}: ${titles.join("; ")}.`;
  return moderatorIds.map((personId) => ({ personId, kind: type, body, path: "/admin/ledger", mail: { subject: "O livro-razão não fecha", body } }));
}
