import type { FiscalMessage } from "#app/domain/fiscal/schema/outbox.ts";
import type { NotificationRenderers } from "#app/domain/outbox.ts";

/** Notifications to moderators about the invoices of the platform's fee. */
export const fiscalNotifications: NotificationRenderers<FiscalMessage> = {
  "fiscal.late": (message) => {
    const body = lateText(message);
    return message.moderatorIds.map((personId) => ({
      personId,
      kind: message.type,
      body,
      path: message.why === "not_taken" ? `/admin/fiscal/${message.month}` : "/admin/fiscal",
      mail: { subject: "As notas da taxa estão atrasadas", body },
    }));
  },
  "fiscal.no_issuer": (message) => {
    const body = `As notas de ${dayText(message.month)} esperam: falta o cadastro de quem as emite (${message.missing.join(", ")}). Nada é numerado nem escrito até lá.`;
    return message.moderatorIds.map((personId) => ({
      personId,
      kind: message.type,
      body,
      path: "/admin/fiscal",
      mail: { subject: "Falta o cadastro de quem emite as notas da taxa", body },
    }));
  },
};

function lateText({ month, why, dueOn }: Extract<FiscalMessage, { type: "fiscal.late" }>): string {
  const [named, last] = [dayText(month), dayText(dueOn)];
  if (why === "not_taken")
    return `Os arquivos de notas de ${named} estão prontos, e ninguém disse que os levou à prefeitura. O último dia era ${last}.`;
  return `Os arquivos de notas de ${named} ainda não foram escritos. O último dia para a prefeitura era ${last}.`;
}

/** Formats a calendar day or month as it is read: "12/04/2026", "04/2026". */
const dayText = (iso: string): string => iso.split("-").toReversed().join("/");
