import { counted, nounFor } from "#app/domain/text.ts";
import { formatMoney } from "#app/domain/money.ts";
import type { Cents } from "#app/domain/money.ts";
import { addDays, formatDay } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";
import type { AccountDeletion, DeletionPreview, DeletionBlockers, WaitReason } from "./schema.ts";

/** Source: issue 3, "Deletion". */
export const DELETION_GRACE_DAYS = 30;
export const REMINDER_DAYS = 3;
/** Source: domain rules, "Data protection". */
export const FISCAL_RETENTION_YEARS = 5;

/**
 * Returns when an account whose deletion was requested at `requestedAt` closes. Until then it can
 * be canceled.
 */
export const deletionDueAt = (requestedAt: Instant): Instant =>
  addDays(requestedAt, DELETION_GRACE_DAYS);

export type DeletionStep = "nothing" | "remind" | "begin" | "close" | "finish";

/**
 * Decides the next step of a deletion at `now`. Each step is safe to repeat, and each status has
 * one next status.
 */
export function deletionStep(
  deletion: Pick<AccountDeletion, "status" | "dueAt" | "remindedAt" | "finishedAt">,
  now: Instant,
): DeletionStep {
  if (deletion.status === "closing") return "close";
  if (deletion.status === "done") return deletion.finishedAt === null ? "finish" : "nothing";
  if (deletion.status !== "requested") return "nothing";
  if (now >= deletion.dueAt) return "begin";
  return deletion.remindedAt === null && now >= addDays(deletion.dueAt, -REMINDER_DAYS)
    ? "remind"
    : "nothing";
}

/**
 * Lists everything that a closing account still waits for. It closes when the list is empty. Money
 * comes first: none may be left without an owner.
 */
export function deletionWaitReasons(blockers: DeletionBlockers): WaitReason[] {
  const reasons: WaitReason[] = [];
  if (blockers.hasLiveSubscriptions) reasons.push({ kind: "subscriptions" });
  if (blockers.hasSoldPurchases) reasons.push({ kind: "purchases" });
  if (blockers.hasOpenCharges) reasons.push({ kind: "charges" });
  if (blockers.hasOpenDisputes) reasons.push({ kind: "disputes" });
  if (blockers.hasWaitingRefunds) reasons.push({ kind: "refunds" });
  if (blockers.hasFailedRefunds) reasons.push({ kind: "failed_refunds" });
  if (blockers.pendingCents > 0)
    reasons.push({
      kind: "pending",
      pendingCents: blockers.pendingCents,
      until: blockers.lastReleaseAt,
    });
  if (blockers.hasOpenPayout) reasons.push({ kind: "payout" });
  else if (blockers.availableCents > 0) {
    const problem =
      blockers.payoutProblem ?? (blockers.hasPayoutJustFailed ? "payout_failed" : null);
    if (problem !== null)
      reasons.push({ kind: "balance", availableCents: blockers.availableCents, problem });
  }
  if (blockers.hasPendingMessages) reasons.push({ kind: "messages" });
  return reasons;
}

/**
 * Whether to request the last payout of a closing account now: nothing can debit the balance any
 * more.
 */
export function canRequestLastPayout(blockers: DeletionBlockers): boolean {
  const others = deletionWaitReasons(blockers).filter(({ kind }) => kind !== "messages");
  return blockers.availableCents > 0 && others.length === 0;
}

const BALANCE_TEXTS: Record<Extract<WaitReason, { kind: "balance" }>["problem"], string> = {
  no_method: "Cadastre uma chave Pix ou uma conta em Saques para recebê-lo.",
  documents: "Ele é pago assim que os seus documentos forem aprovados.",
  no_provider: "Os saques estão fora do ar por enquanto; ele é pago assim que voltarem.",
  method_on_hold: "A chave ou a conta mudou há pouco, e ele espera 24 horas.",
  held_by_staff: "A nossa equipe está conferindo os seus saques: ele é pago quando terminarmos.",
  banned: "A conta está suspensa: fale com o suporte para recebê-lo.",
  payout_failed: "O último saque falhou. Confira a chave ou a conta: tentamos de novo a cada dia.",
};

/** Formats a wait reason for the person. */
export function waitReasonText(reason: WaitReason): string {
  switch (reason.kind) {
    case "subscriptions":
      return "Há assinaturas a encerrar.";
    case "purchases":
      return "Há compras da sua página a devolver.";
    case "charges":
      return "Há um pagamento em aberto. Ele vence sozinho se não for pago.";
    case "disputes":
      return "Há uma contestação em aberto no banco. A exclusão espera a decisão.";
    case "refunds":
      return "Há devoluções a caminho.";
    case "failed_refunds":
      return "O banco não aceitou uma devolução. O suporte está cuidando disso.";
    case "payout":
      return "Há um saque a caminho. A exclusão espera ele chegar.";
    case "messages":
      return "Há avisos sendo enviados.";
    case "pending":
      return `${formatMoney(reason.pendingCents)} ainda vão ser liberados${reason.until === null ? "" : `, até ${formatDay(reason.until)}`}.`;
    case "balance":
      return `Há ${formatMoney(reason.availableCents)} de saldo. ${BALANCE_TEXTS[reason.problem]}`;
  }
}

/**
 * Returns what is left of a creator's money after refunding unused days to subscribers and
 * purchases to buyers (centavos).
 */
export function lastPayoutCents({
  availableCents,
  pendingCents,
  refundFromBalanceCents,
}: Pick<DeletionPreview, "availableCents" | "pendingCents" | "refundFromBalanceCents">): Cents {
  return Math.max(0, availableCents + pendingCents - refundFromBalanceCents);
}

/**
 * Returns what the emails say about the deletion, one sentence a line. Leaves out what the person
 * does not have.
 */
export function deletionConsequenceLines(figures: DeletionPreview): string[] {
  const lines: string[] = [];
  if (figures.subscriptions.length > 0) {
    const refund =
      figures.refundToThemCents > 0
        ? `, e devolvemos ${formatMoney(figures.refundToThemCents)} dos dias que não usou`
        : "";
    lines.push(
      `Até lá as suas assinaturas não renovam. No fim, as que ainda valerem são encerradas${refund}.`,
    );
  }
  if (figures.subscribersCount > 0) {
    const people = counted(figures.subscribersCount, "pessoa assina", "pessoas assinam");
    lines.push(
      `${people} a sua página: nada mais renova, e no fim devolvemos ${formatMoney(figures.refundToSubscribersCents)} dos dias que não usarem.`,
    );
  }
  if (figures.buyersCount > 0) {
    const people = counted(figures.buyersCount, "pessoa comprou", "pessoas compraram");
    lines.push(
      `${people} publicações, coleções ou arquivos de mensagens seus: no fim devolvemos ${formatMoney(figures.refundToBuyersCents)}.`,
    );
  }
  if (figures.giftsCount > 0) {
    const gifts = counted(
      figures.giftsCount,
      "presente dos seus planos ainda não foi resgatado",
      "presentes dos seus planos ainda não foram resgatados",
    );
    lines.push(
      `${gifts}: os que ficarem voltam inteiros a quem deu, ${formatMoney(figures.refundToGiversCents)} ao todo.`,
    );
  }
  if (figures.purchasesCount > 0)
    lines.push(
      `Você perde o que comprou: ${counted(figures.purchasesCount, "compra", "compras")}.`,
    );
  if (figures.eventsCount > 0)
    lines.push(`${eventsCanceledText(figures.eventsCount)} Quem pagou recebe tudo de volta.`);
  if (figures.seatsCount > 0) lines.push(seatsLostText(figures.seatsCount));
  const lastCents = lastPayoutCents(figures);
  if (lastCents > 0)
    lines.push(
      `O seu saldo, ${formatMoney(lastCents)} depois das devoluções, vai antes para a sua chave Pix ou conta, sem valor mínimo.`,
    );
  return lines;
}

/** Says what becomes of a leaving creator's events. */
export const eventsCanceledText = (count: number): string =>
  `${nounFor(count, "O seu evento é cancelado", `Os seus ${counted(count, "evento", "eventos")} são cancelados`)}, e quem tem vaga é avisado.`;

/** Says what becomes of a leaving person's seats. */
export const seatsLostText = (count: number): string =>
  nounFor(
    count,
    "A sua vaga em um evento passa para outra pessoa. Se pagou por ela, cancele antes, para receber o que a regra do evento devolve.",
    `As suas ${counted(count, "vaga", "vagas")} em eventos passam para outras pessoas. Se pagou por elas, cancele antes, para receber o que a regra de cada evento devolve.`,
  );

/** Writes the last email, sent after the personal data was erased. */
export function accountDeletedEmail(): { subject: string; body: string } {
  return {
    subject: "A sua conta do Coreto foi excluída",
    body: [
      "A sua conta do Coreto foi excluída, como você pediu. Ninguém mais entra com ela.",
      "O seu nome, a foto, o perfil, as publicações e as formas de entrar foram apagados. Comentários e mensagens ficaram como “Conta excluída”.",
      `Guardamos só o que a lei exige: os registros de pagamentos por ${FISCAL_RETENTION_YEARS} anos e os registros de acesso por 6 meses.`,
      "Este e-mail pode criar uma conta nova quando você quiser.",
      "Coreto",
    ].join("\n\n"),
  };
}
