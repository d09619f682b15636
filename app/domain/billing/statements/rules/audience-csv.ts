import { csvLine, moneyCell, textCell } from "#app/domain/csv.ts";
import type { Cents } from "#app/domain/money.ts";
import type { SubscriptionStatus } from "#app/domain/subscriptions/schema.ts";
import { formatDay } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";

export type AudienceCsvRow = {
  id: string;
  name: string;
  username: string;
  planName: string;
  intervalWord: string;
  methodWord: string;
  status: SubscriptionStatus;
  badge: string;
  startedAt: Instant;
  currentPeriodEndsAt: Instant | null;
  accessUntil: Instant | null;
  amountCents: Cents;
  monthlyCents: Cents;
  paidCents: Cents;
};

const HEADINGS = [
  "Nome",
  "Usuário",
  "Plano",
  "Cobrança",
  "Forma",
  "Situação",
  "Desde",
  "Período até",
  "Acesso até",
];
const MONEY = ["Preço", "Por mês", "Pago no total"];

/**
 * Formats subscribers as a spreadsheet. The money columns need the permission to see money. Source:
 * docs/decisions/interface/write-files-as-brazilian-readers-expect.md.
 */
export const audienceCsvHead = (seesMoney: boolean): string =>
  csvLine([...HEADINGS, ...(seesMoney ? MONEY : []), "Código"]);

export function audienceCsvRow(row: AudienceCsvRow, seesMoney: boolean): string {
  const day = (at: Instant | null): string => (at === null ? "" : formatDay(at));
  const textCells = [
    row.name,
    row.username,
    row.planName,
    row.intervalWord,
    row.methodWord,
    row.badge,
  ];
  const days = [
    row.status === "upcoming" ? null : row.startedAt,
    row.currentPeriodEndsAt,
    row.accessUntil,
  ].map(day);
  const money = seesMoney ? [row.amountCents, row.monthlyCents, row.paidCents].map(moneyCell) : [];
  return csvLine([...textCells.map(textCell), ...days, ...money, row.id]);
}
