import type { ModerationAct } from "#app/domain/moderation/queries.server.ts";

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

export const STATE_LABELS = {
  there: "No ar",
  hidden: "Escondido",
  deleted: "Apagado por quem publicou",
} as const;
