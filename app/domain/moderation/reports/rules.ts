import type { RateLimit } from "#app/domain/rate-limits/schema.ts";
import { counted } from "#app/domain/text.ts";
import { DAY_MS, addMonths, formatDay } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";
import type { CaseDecision, ReportReason, SubjectKind } from "./schema.ts";

/** Reports a day per person: more than anyone needs, too few for a flood. */
export const REPORT_LIMITS: readonly RateLimit[] = [{ windowMs: DAY_MS, limit: 30 }];
/** How long a claim keeps other moderators from deciding. */
export const CLAIM_MS = DAY_MS;
/** How long evidence stays after the decision. Source: ECA Digital, apparent abuse: 6 months. */
const RETENTION_MONTHS = 6;

/** Returns the decision time before which evidence is erased at `now`. */
export const retainedSince = (now: Instant): Instant => addMonths(now, -RETENTION_MONTHS);

type ReasonText = { label: string; hint: string };

export const REPORT_REASONS: Record<ReportReason, ReasonText> = {
  spam: { label: "Spam", hint: "Propaganda repetida, links em massa." },
  scam: { label: "Golpe ou fraude", hint: "Pede dinheiro ou dados com mentira, finge ser alguém." },
  harassment: { label: "Assédio ou ameaça", hint: "Persegue, humilha ou ameaça uma pessoa." },
  hate: { label: "Ódio ou discriminação", hint: "Ataca pessoas pelo que elas são." },
  unmarked_adult: {
    label: "Conteúdo sexual sem a marca de 18+",
    hint: "Aparece para quem não escolheu ver.",
  },
  child_exploitation: {
    label: "Exploração de criança ou adolescente",
    hint: "Vai para o começo da fila.",
  },
  violence: { label: "Violência", hint: "Mostra ou incentiva violência ou autolesão." },
  copyright: { label: "Direitos autorais", hint: "Publica obra de outra pessoa sem permissão." },
  other: { label: "Outro motivo", hint: "Conte com as suas palavras." },
};

/** Whether one report of this reason puts its case at the top of the queue. */
export const isUrgentReason = (reason: ReportReason): boolean => reason === "child_exploitation";

export const DECISION_LABELS: Record<CaseDecision, string> = {
  dismiss: "Arquivar",
  hide: "Esconder o conteúdo",
  warn: "Advertir",
  suspend: "Suspender a conta por dias",
  ban: "Banir a conta",
};

const ONLY_AUTHOR = {
  author: "só você e a moderação veem.",
  staff: "Só a pessoa e a moderação veem.",
};

/**
 * Who still sees hidden content of each kind, as its author and as staff read it. A team sees what
 * its creator sees.
 */
export const HIDDEN_VIEWERS: Record<SubjectKind, { author: string; staff: string }> = {
  post: {
    author: "só você, a sua equipe e a moderação veem.",
    staff: "Só quem publicou, a equipe da página e a moderação veem.",
  },
  comment: {
    author: "só você, quem cuida da página onde ele está e a moderação veem.",
    staff: "Só quem comentou, quem cuida da página da publicação e a moderação veem.",
  },
  event: {
    author: "só você, a sua equipe, quem já tem vaga e a moderação veem.",
    staff: "Só quem publicou, a equipe da página, quem já tem vaga e a moderação veem.",
  },
  profile: ONLY_AUTHOR,
  message: ONLY_AUTHOR,
};

/** What was done, for lists. */
export const DECISION_DONE: Record<CaseDecision, string> = {
  dismiss: "Arquivada",
  hide: "Conteúdo escondido",
  warn: "Pessoa advertida",
  suspend: "Conta suspensa",
  ban: "Conta banida",
};

/** A case as its claim decides who may act on it. */
export type ClaimState = {
  claimedBy: string | null;
  claimedAt: Instant | null;
  decidedAt: Instant | null;
};

/** Whether the claim still keeps others away at `now`. */
export const isClaimed = ({ claimedBy, claimedAt }: ClaimState, now: Instant): boolean =>
  claimedBy !== null && claimedAt !== null && claimedAt > now - CLAIM_MS;

export type ClaimProblem = "decided" | "claimed_by_other" | "not_claimed";

/** Why `moderatorId` may not decide the case at `now`, or null. A decision needs a claim. */
export function decideProblem(
  state: ClaimState,
  moderatorId: string,
  now: Instant,
): ClaimProblem | null {
  if (state.decidedAt !== null) return "decided";
  if (isClaimed(state, now)) return state.claimedBy === moderatorId ? null : "claimed_by_other";
  return "not_claimed";
}

/** Why `moderatorId` may not claim the case at `now`, or null. */
export function claimProblem(
  state: ClaimState,
  moderatorId: string,
  now: Instant,
): ClaimProblem | null {
  const problem = decideProblem(state, moderatorId, now);
  return problem === "not_claimed" ? null : problem;
}

/** What a reporter reads of the state of their report. */
export function reportOutcomeText({
  decision,
  isReversed,
}: {
  decision: CaseDecision | null;
  isReversed: boolean;
}): string {
  if (decision === null) return "Esperando a moderação.";
  if (isReversed) return "Agimos, e depois de um recurso a decisão foi desfeita.";
  return decision === "dismiss"
    ? "Conferimos e não encontramos quebra das regras."
    : "Conferimos e agimos: havia quebra das regras.";
}

/** What the author reads that was done to them. */
export function decisionEffectText(
  decision: Exclude<CaseDecision, "dismiss">,
  {
    kind,
    subject,
    suspendedUntil,
  }: { kind: SubjectKind; subject: string; suspendedUntil: Instant | null },
): string {
  switch (decision) {
    case "hide":
      return `Escondemos ${subject}: ${HIDDEN_VIEWERS[kind].author}`;
    case "warn":
      return `Esta é uma advertência sobre ${subject}. Nada mudou na sua conta.`;
    case "suspend":
      return `A sua conta está suspensa até ${formatDay(suspendedUntil ?? 0)}, por causa de ${subject}. Até lá a sua página não aparece, nada renova e nenhum saque é feito; o seu saldo continua seu.`;
    case "ban":
      return `A sua conta foi banida, por causa de ${subject}. A sua página não aparece, nada renova e nenhum saque é feito; o seu saldo continua seu.`;
  }
}

/** What the author reads of a suspension that does not run any more. */
export const PAST_SUSPENSION_TEXTS = {
  ended: (subject: string) =>
    `A sua conta foi suspensa, por causa de ${subject}. A suspensão já terminou.`,
  taken_over_by_ban: (subject: string) =>
    `A sua conta foi suspensa, por causa de ${subject}. Depois, outra decisão baniu a sua conta: é ela que vale agora.`,
};

/** What the author reads of a ban that a moderator ended by hand. */
export const liftedBanText = (subject: string): string =>
  `A sua conta foi banida, por causa de ${subject}. A moderação já encerrou este banimento.`;

export const reportsText = (count: number): string => counted(count, "denúncia", "denúncias");
