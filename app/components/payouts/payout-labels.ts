import { transferFault } from "#app/domain/payments/providers/rules/transfer-faults.ts";
import {
  PAYOUT_END_TEXTS,
  HELD_BEFORE_SENDING_CODE,
} from "#app/domain/payouts/holds/rules/holds.ts";
import { payoutLabel } from "#app/domain/payouts/rules.ts";
import type { ExpectedWait, PayoutEndReason } from "#app/domain/payouts/holds/rules/holds.ts";
import type { HeldReason, PayoutStatus, PayoutWaitReason } from "#app/domain/payouts/schema.ts";
import { formatDay, formatMinute } from "#app/domain/time.ts";

export const HELD_LABELS: Record<HeldReason, string> = {
  documents: "Documentos",
  changed_method: "Chave ou conta trocada",
  moderation: "Pela moderação",
  approval: "Espera aprovação",
  owner_differs: "Chave de outra pessoa",
};

/** Why a payout waits and what to do, for the creator. `holdReason` is a moderator's own text. */
export function heldTextForCreator({
  reason,
  until,
  holdReason,
}: {
  reason: HeldReason | null;
  until: number | null;
  holdReason: string | null;
}): string {
  switch (reason) {
    case "documents":
      return "Sai assim que os seus documentos forem aprovados. Confira o que falta em Documentos: recusados e sem outros por 30 dias, o pedido é cancelado e o dinheiro fica no saldo.";
    case "changed_method":
      return `A chave ou a conta mudou há pouco: por segurança, sai ${until === null ? "24 horas depois da troca" : `depois de ${formatMinute(until)}`}, para o destino novo.`;
    case "approval":
      return "Pelo valor, uma pessoa da nossa equipe confere antes de enviar. Não precisa fazer nada.";
    case "owner_differs":
      return "No Pix, a chave não está no nome de quem enviou os documentos, ou não existe mais. Troque por uma chave ou conta sua em Para onde vai o dinheiro; se a corrigir no seu banco, conferimos de novo em um dia.";
    case "moderation":
    case null:
      return (
        holdReason ??
        "A nossa equipe está conferindo a sua conta. O dinheiro continua no seu saldo."
      );
  }
}

/** Why a payout is held and what happens next, for staff. */
export function heldTextForStaff(reason: HeldReason): string {
  if (reason === "owner_differs")
    return "A chave não está, no Pix, em nome de quem enviou os documentos, ou não existe mais: a pessoa troca a chave, ou a corrige no banco, e conferimos de novo a cada dia. Não se libera à mão.";
  if (reason !== "documents") return HELD_LABELS[reason];
  return "Documentos: sai sozinho quando forem aprovados. Recusados e sem outros por 30 dias, o pedido termina e o dinheiro fica no saldo; de quem mostrou menos de 18 anos termina já, e volta para quem pagou.";
}

const AWAITS_TEXTS: Record<NonNullable<ExpectedWait>, string> = {
  approval: "Pelo valor, uma pessoa da nossa equipe confere antes de enviar.",
  books: "Estamos conferindo as contas, e ele sai assim que terminarmos.",
};

/**
 * Text before a payout is requested: what it will wait for, or the day on which it arrives.
 * `arrivesAt` applies to a bank account.
 */
export function beforeRequestText({
  awaits,
  arrivesAt,
}: {
  awaits: ExpectedWait;
  arrivesAt: number | null;
}): string {
  const day = awaits !== null || arrivesAt === null ? "" : `, e chega em ${formatDay(arrivesAt)}`;
  return `Vai tudo o que estiver disponível, sem taxa${day}.${awaits === null ? "" : ` ${AWAITS_TEXTS[awaits]}`}`;
}

/** Text after a payout was requested. `of` names the creator for whom a team member acts. */
export function requestedText({
  awaits,
  arrivesAt,
  of,
}: {
  awaits: ExpectedWait;
  arrivesAt: number | null;
  of: string | null;
}): string {
  const asked =
    of === null
      ? "Saque pedido."
      : `Saque pedido. O dinheiro vai para a chave Pix ou conta de ${of}.`;
  if (awaits !== null) return `${asked} ${AWAITS_TEXTS[awaits]}`;
  if (of !== null) return asked;
  return `${asked} O dinheiro ${arrivesAt === null ? "chega pelo Pix, quase sempre em minutos" : `chega à conta em ${formatDay(arrivesAt)}`}.`;
}

export const WAIT_REASON_LABELS: Record<PayoutWaitReason, string> = {
  business_day: "Espera dia útil",
  balance: "Espera saldo no provedor",
  provider: "Conta recusada no provedor",
  key_owner: "Espera o titular da chave",
};

/** What a payout without a hold waits for, for the creator. */
export function waitTextForCreator({
  waitsFor,
  waitsUntil,
}: {
  waitsFor: PayoutWaitReason;
  waitsUntil: number | null;
}): string {
  if (waitsFor === "balance")
    return "Nosso parceiro de pagamentos ainda junta o dinheiro deste saque. Sai sozinho assim que houver; não precisa fazer nada.";
  if (waitsFor === "provider")
    return "Nosso parceiro de pagamentos não está aceitando envios nossos agora. O dinheiro está guardado e a nossa equipe já cuida disso: sai sozinho, e não precisa fazer nada.";
  if (waitsFor === "key_owner")
    return "Estamos conferindo no Pix se a chave está no seu nome, e ele ainda não respondeu. Sai sozinho assim que responder; não precisa fazer nada.";
  return `Contas bancárias recebem nos dias úteis${waitsUntil === null ? "." : `: chega em ${formatDay(waitsUntil)}.`}`;
}

/** What a payout without a hold waits for, for staff. */
export function waitTextForStaff(waitsFor: PayoutWaitReason, waitsUntil: number | null): string {
  const at = waitsUntil === null ? "" : formatMinute(waitsUntil);
  if (waitsFor === "balance")
    return `Saldo no provedor: o que há lá não cobre este saque. Olhamos de novo em ${at}.`;
  if (waitsFor === "provider")
    return `O provedor recusou a nossa conta, e não o destino nem o saldo: confira lá a chave de API, as permissões e os limites. Tentamos de novo em ${at}.`;
  if (waitsFor === "key_owner")
    return `Titular da chave: o provedor ainda não disse de quem ela é (são poucas consultas por minuto). Perguntamos de novo em ${at}.`;
  return `Horário dos bancos: sai em ${at}.`;
}

/** Toast for staff with a payout's status after a check, also when the provider did not answer. */
export function refreshedToast({
  status,
  waitsFor,
  waitsUntil,
}: {
  status: PayoutStatus;
  waitsFor: PayoutWaitReason | null;
  waitsUntil: number | null;
}): { kind: "success" | "info"; message: string } {
  if (status === "paid") return { kind: "success", message: "Este saque foi pago." };
  if (status === "claimed" && waitsFor !== null)
    return {
      kind: "info",
      message: `Este saque ainda não saiu. ${waitTextForStaff(waitsFor, waitsUntil)}`,
    };
  if (status === "claimed" || status === "sent")
    return { kind: "info", message: "Este saque continua em envio." };
  if (status === "failed")
    return { kind: "info", message: "Este saque falhou, e o valor voltou para o disponível." };
  return { kind: "info", message: `Este saque agora está assim: ${payoutLabel(status)}.` };
}

/** Text of a payout that was held after its claim and before any transfer. */
export const STOPPED_TEXT =
  "Foi retido antes de sair. O valor voltou para o disponível. Se há um saque no lugar, é ele que diz o motivo.";

/**
 * Text of a failed transfer by the side at fault (`transferFault`). The platform retries its own
 * failures automatically.
 */
const FAILED = {
  key: "O banco não aceitou a chave ou a conta. O valor voltou para o disponível: confira para onde ele vai antes de sacar outra vez.",
  house:
    "Não saiu por um problema nosso com o provedor. O valor voltou e foi pedido de novo: é o saque seguinte.",
  bank: "O banco não aceitou. O valor voltou para o disponível.",
};

/** Why a payout failed, from its `failureCode`, for the creator. */
export const payoutFailedText = (failureCode: string | null): string =>
  failureCode === HELD_BEFORE_SENDING_CODE
    ? STOPPED_TEXT
    : FAILED[transferFault(failureCode) ?? "bank"];

/**
 * Why a payout was canceled or expired before it was sent, from its `failureCode`, for creator and
 * staff.
 */
export function payoutCanceledText(failureCode: string | null): string {
  if (failureCode === "canceled_by_creator")
    return "Cancelado a pedido. O dinheiro ficou no saldo.";
  if (failureCode === "canceled_by_staff")
    return "Cancelado pela nossa equipe, que mandou o motivo por e-mail. O dinheiro ficou no saldo.";
  if (failureCode === "account_suspended") return "A conta está suspensa.";
  const ended = PAYOUT_END_TEXTS[failureCode as PayoutEndReason];
  if (ended !== undefined) return ended;
  return "Não havia mais saldo disponível.";
}

/** Why a payout ended or waits, for staff. */
export function payoutEndDetail(
  status: PayoutStatus,
  failureCode: string,
): { label: string; value: string } {
  if (status === "canceled")
    return { label: "Por que terminou", value: payoutCanceledText(failureCode) };
  return failureCode === HELD_BEFORE_SENDING_CODE
    ? { label: "Por que não saiu", value: STOPPED_TEXT }
    : { label: "O que o provedor disse", value: failureCode };
}
