import type { AuditMessage } from "#app/domain/audit/schema/outbox.ts";
import type { NotificationDraft, NotificationRenderers } from "#app/domain/outbox.ts";
import { countedFromTwo } from "#app/domain/text.ts";

/** A broken invariant notifies the moderators, by e-mail too. */
export const auditNotifications: NotificationRenderers<AuditMessage> = {
  "ledger.broken": brokenInvariantNotifications,
};

function brokenInvariantNotifications(message: AuditMessage): NotificationDraft[] {
  const { type, moderatorIds } = message;
  const { titles, moreTitles = [], holdsPayouts, path = "/admin/ledger" } = message;
  const held = holdsPayouts ? ", e os saques estão parados" : "";
  const body = [
    ...(titles.length > 0
      ? [
          `${countedFromTwo(titles.length, "Uma regra do livro-razão quebrou", "regras do livro-razão quebraram")}${held}: ${titles.join("; ")}.`,
        ]
      : []),
    ...(moreTitles.length > 0
      ? [
          `${countedFromTwo(moreTitles.length, "Uma regra que já estava quebrada tem casos novos", "regras que já estavam quebradas têm casos novos")}${titles.length > 0 ? "" : held}: ${moreTitles.join("; ")}.`,
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
