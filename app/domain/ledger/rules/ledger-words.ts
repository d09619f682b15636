/** Portuguese text of each kind of ledger transaction, as statements show it. */
const HAPPENINGS: Record<string, string> = {
  "charge.succeeded": "Pagamento confirmado",
  "charge.released": "Liberado para saque",
  "charge.refunded": "Devolvido",
  "refund.transferred": "Devolução enviada por Pix",
  "refund.transfer_returned": "Devolução por Pix que voltou",
  "refund.taken_back": "Devolvido pelo banco",
  "dispute.opened": "Contestação aberta",
  "dispute.lost": "Contestação perdida",
  "dispute.won": "Contestação vencida",
  "payout.claimed": "Saque reservado",
  "payout.paid": "Saque pago",
  "payout.failed": "Saque que falhou voltou",
  "payout.returned": "Saque devolvido pelo banco",
  "provider.moved": "Movido entre provedores",
  "platform.put_in": "Colocado pela plataforma",
  "platform.took_out": "Retirado pela plataforma",
  "provider.cost": "Custo do provedor",
  "debt.paid": "Valor a descontar quitado com Pix",
  "debt.written_off": "Valor a descontar dispensado",
};

/**
 * Returns the labels of the filters of an account's entries; none where all are shown. `username`
 * is null for a deleted account.
 */
export function partLabels({
  kind,
  creator,
  payoutId,
}: {
  kind?: string | undefined;
  creator: { username: string | null } | null;
  payoutId?: string | undefined;
}): string[] {
  return [
    ...(kind ? [`só “${transactionKindLabel(kind)}”`] : []),
    ...(creator
      ? [`só de ${creator.username === null ? "uma conta excluída" : `@${creator.username}`}`]
      : []),
    ...(payoutId ? ["só deste saque"] : []),
  ];
}

/**
 * Returns the Portuguese text of a transaction kind. A debt payment (`debt.dispute.opened`) has the
 * text of any other payment: its description says which it is.
 */
export const transactionKindLabel = (kind: string): string =>
  HAPPENINGS[kind] ?? HAPPENINGS[kind.replace(/^debt\./, "")] ?? kind;
