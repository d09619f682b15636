import type { Told } from "#app/domain/notifications/schema.ts";
import type { OutboxMessage } from "#app/domain/outbox.server.ts";
import { formatDay } from "#app/domain/time.ts";

type CompMessage = Extract<OutboxMessage, { type: "comp.given" | "comp.ended" }>;

export const isOfComp = (message: OutboxMessage): message is CompMessage =>
  message.type === "comp.given" || message.type === "comp.ended";

/** A courtesy begins and ends without a mail: nobody asked for it, and nothing is to be paid. */
export function compTold(message: CompMessage): Told {
  const told = { personId: message.fanId, kind: message.type, mail: null };
  if (message.type === "comp.ended") {
    return {
      ...told,
      path: `/space/${message.creatorUsername}`,
      body: `A cortesia do plano ${message.planName}, de ${message.creatorName}, terminou.`,
    };
  }
  // A far end is none at all.
  const until = message.endsAt > FAR ? "" : ` até ${formatDay(message.endsAt)}`;
  return {
    ...told,
    path: `/settings/subscriptions/${message.subscriptionId}`,
    body: `${message.creatorName} deu a você o plano ${message.planName} de cortesia${until}. Não custa nada, e você pode recusar.`,
  };
}

const FAR = Date.UTC(9000, 0, 1);
