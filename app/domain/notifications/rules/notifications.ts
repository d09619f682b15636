import type { AddressMessage } from "#app/domain/notifications/schema/outbox.ts";
import type { NotificationRenderers } from "#app/domain/outbox.ts";

/** The notification about a person's own address, which no email can bring. */
export const addressNotifications: NotificationRenderers<AddressMessage> = {
  "address.stopped": ({ type: kind, personId, reason }) => [
    {
      personId,
      kind,
      body:
        reason === "bounced"
          ? "O seu e-mail devolveu uma mensagem nossa, e paramos de enviar avisos para ele. Veja o que fazer."
          : "Um e-mail nosso para você foi marcado como spam, e paramos os que não são obrigatórios.",
      path: "/settings/notifications",
      mail: null,
    },
  ],
};
