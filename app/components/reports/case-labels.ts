import type { ModerationAct } from "#app/domain/moderation/queries.server.ts";
import type { SubjectKind } from "#app/domain/moderation/reports/schema.ts";

/** What a moderator did, in the log of a case. */
export const ACT_LABELS: Record<ModerationAct, string> = {
  claim: "Assumiu o caso",
  release: "Soltou o caso",
  dismiss: "Arquivou",
  hide: "Escondeu o conteúdo",
  warn: "Advertiu a pessoa",
  suspend: "Suspendeu a conta",
  ban: "Baniu a conta",
  unban: "A suspensão terminou",
  uphold: "Manteve a decisão depois do recurso",
  reverse: "Desfez a decisão depois do recurso",
};

/** How the subject is now, on the page of a case. A message is not published. */
export const stateLabel = (kind: SubjectKind, state: keyof typeof STATE_LABELS): string =>
  kind === "message" ? MESSAGE_STATE_LABELS[state] : STATE_LABELS[state];

const STATE_LABELS = {
  there: "No ar",
  hidden: "Escondido",
  deleted: "Apagado por quem publicou",
} as const;
const MESSAGE_STATE_LABELS = {
  ...STATE_LABELS,
  there: "Na conversa",
  deleted: "Apagada por quem enviou",
} as const;
