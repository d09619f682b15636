import type { LedgerAccountKind } from "#app/domain/ledger/schema.ts";
import type { Cents } from "#app/domain/money.ts";

type DisputeEntry = { accountKind: LedgerAccountKind; amountCents: Cents; sourceKey: string };

export type DisputeBalanceLine = { label: string; cents: Cents };

const TAKEN_FROM: readonly { kind: LedgerAccountKind; label: string }[] = [
  { kind: "creator_pending", label: "Saiu do que estava a liberar" },
  { kind: "creator_available", label: "Saiu do disponível" },
  { kind: "creator_owed", label: "Ficou para descontar das próximas vendas" },
];

const GIVEN_TO: readonly { kind: LedgerAccountKind; label: string }[] = [
  { kind: "creator_pending", label: "Voltou para o que está a liberar" },
  { kind: "creator_owed", label: "Abateu do que havia a descontar" },
  { kind: "creator_available", label: "Voltou para o disponível" },
];

/**
 * Returns what a dispute did to its seller's balance, from the entries of its postings (centavos,
 * all positive).
 */
export function disputeBalanceLines(
  { id, amountCents, feeShareCents }: { id: string; amountCents: Cents; feeShareCents: Cents },
  entries: readonly DisputeEntry[],
): DisputeBalanceLine[] {
  const sum = (key: string, kind: LedgerAccountKind) =>
    entries
      .filter((entry) => entry.sourceKey === `dispute:${id}:${key}` && entry.accountKind === kind)
      .reduce((total, entry) => total + entry.amountCents, 0);
  const moved = (
    lines: readonly { kind: LedgerAccountKind; label: string }[],
    key: string,
    sense: 1 | -1,
  ) =>
    lines
      .map(({ kind, label }) => ({ label, cents: sense * sum(key, kind) }))
      .filter(({ cents }) => cents > 0);
  const reservedCents = ["opened", "won", "lost"].reduce(
    (total, key) => total - sum(key, "creator_reserved"),
    0,
  );
  return [
    { label: "Valor contestado", cents: amountCents },
    ...(feeShareCents > 0
      ? [{ label: "Parte da taxa do Coreto, que também fica bloqueada", cents: feeShareCents }]
      : []),
    ...moved(TAKEN_FROM, "opened", 1),
    { label: "Bloqueado agora", cents: reservedCents },
    ...moved(GIVEN_TO, "won", -1),
    ...(sum("lost", "creator_reserved") > 0
      ? [{ label: "Voltou a quem pagou, do que era seu", cents: sum("lost", "creator_reserved") }]
      : []),
  ];
}
