import type { Mailer } from "#app/domain/notifications/schema/senders.ts";

type Mail = Parameters<Mailer["send"]>[0];

/** Renders the whole text of an email: what it says, where it leads, why it came, how to stop it. */
export const emailText = ({ body, actionUrl, reason, unsubscribeUrl }: Mail): string =>
  [
    body,
    actionUrl,
    unsubscribeUrl === undefined ? reason : `${reason ?? ""} Não receber mais: ${unsubscribeUrl}`,
  ]
    .filter((part) => part !== undefined && part !== "")
    .join("\n\n");
