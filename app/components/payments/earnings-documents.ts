import type {
  PrintableDocument,
  DocumentCell,
  DocumentSection,
  DocumentTable,
} from "#app/lib/paper.ts";
import type { PlatformCompany } from "#app/domain/fiscal/schema/company.ts";
import { SERIES } from "#app/domain/fiscal/rules.ts";
import { formatTaxId, taxIdLabel } from "#app/domain/identity/tax-ids/rules.ts";
import type { TaxId } from "#app/domain/identity/tax-ids/rules.ts";
import {
  balanceChange,
  EARNINGS_FIGURE_TITLES,
  earningsFigureNames,
  earningsFigures,
  sumEarningsFigures,
} from "#app/domain/ledger/statements/rules/earnings.ts";
import type {
  EarningsEffect,
  EarningsFigureName,
  EarningsFigures,
} from "#app/domain/ledger/statements/rules/earnings.ts";
import { monthBounds, monthBefore } from "#app/domain/ledger/months/rules/months.ts";
import type { Month } from "#app/domain/ledger/months/rules/months.ts";
import { formatMoney } from "#app/domain/money.ts";
import type { Cents } from "#app/domain/money.ts";
import type { Instant } from "#app/domain/time.ts";
import { formatDay, formatMinute, instantOfIsoDay, isoDay, TIME_ZONE } from "#app/domain/time.ts";

/** Range of dates, both inclusive: `2026-03-01`. */
type DayRange = { from: string; until: string };

/** Path of the ledger entries behind a figure. */
const figurePath = (figure: EarningsFigureName, { from, until }: DayRange): string =>
  `/settings/transfers/figures?${new URLSearchParams({ figure, from, until }).toString()}`;

const MONTH_NAME = new Intl.DateTimeFormat("pt-BR", { timeZone: TIME_ZONE, month: "long" });

/** Month title, such as "março de 2026". */
export const monthTitle = (month: Month): string =>
  `${MONTH_NAME.format(monthBounds(month).from)} de ${month.slice(0, 4)}`;

/** Amount without a currency sign, such as `1.234,56`: the column heading says reais. */
const amount = (cents: Cents): string =>
  formatMoney(cents)
    .replace(/R\$\s?/, "")
    .trim();

type Row = { label: string; days: DayRange; figures: EarningsFigures };

export type EarningsSource = {
  owner: { name: string; username: string; document: ({ name: string } & TaxId) | null };
  openingCents: Cents;
  closingCents: Cents;
  effects: EarningsEffect[];
  now: number;
  company: PlatformCompany;
};

/** Columns of most statements are without these. */
const RARE: ReadonlySet<EarningsFigureName> = new Set(["disputed", "other"]);

/** Table of linked figures, with the balance at the end of each row. */
function figuresTable(
  caption: string,
  first: string,
  rows: Row[],
  whole: DayRange,
  { openingCents, effects }: EarningsSource,
): DocumentTable {
  const sum = sumEarningsFigures(effects);
  const shown = earningsFigureNames.filter(
    (name) => !RARE.has(name) || effects.some((one) => earningsFigures(one)[name] !== 0),
  );
  const cells = (figures: EarningsFigures, days: DayRange): DocumentCell[] =>
    shown.map((name) =>
      figures[name] === 0
        ? { text: amount(0) }
        : { text: amount(figures[name]), to: figurePath(name, days) },
    );
  let balance = openingCents;
  const body = rows.map(({ label, days, figures }) => {
    balance += balanceChange(figures);
    return [{ text: label }, ...cells(figures, days), { text: amount(balance) }];
  });
  const short: Record<EarningsFigureName, string> = {
    ...EARNINGS_FIGURE_TITLES,
    fee: "Taxa",
  };
  return {
    caption,
    head: [first, ...shown.map((name) => short[name]), "Saldo"],
    rows: body,
    last: [{ text: "Soma" }, ...cells(sum, whole), { text: amount(balance) }],
  };
}

/** `before` is the path of the statement whose closing balance opens this one. */
type Period = { label: string; days: DayRange; endsAt: Instant; before: string };

function balanceSection(
  { openingCents, closingCents, effects, now }: EarningsSource,
  { label, days, endsAt, before }: Period,
): DocumentSection {
  const { net, other, paid } = sumEarningsFigures(effects);
  return {
    title: "Saldo",
    details: [
      {
        label: `No começo de ${label}`,
        value: formatMoney(openingCents),
        ...(openingCents === 0 ? {} : { to: before }),
      },
      { label: "Líquido que entrou", value: formatMoney(net), to: figurePath("net", days) },
      ...(other === 0
        ? []
        : [{ label: "Outros", value: formatMoney(other), to: figurePath("other", days) }]),
      { label: "Sacado", value: formatMoney(-paid || 0), to: figurePath("paid", days) },
      {
        label: endsAt > now ? "Até agora" : `No fim de ${label}`,
        value: formatMoney(closingCents),
        totalCents: closingCents,
      },
    ],
    note: "O saldo é tudo o que é seu no Coreto: a liberar, disponível e a caminho do banco, menos o que falta descontar. O que está bloqueado por uma contestação fica de fora até a decisão.",
  };
}

function sidesOf({ owner, company }: EarningsSource): DocumentSection[] {
  return [
    {
      title: "Quem recebe",
      details: [
        { label: "Nome", value: owner.document?.name ?? owner.name },
        ...(owner.document
          ? [{ label: taxIdLabel(owner.document.taxKind), value: formatTaxId(owner.document) }]
          : []),
        { label: "Página", value: `${owner.name} (@${owner.username})` },
      ],
    },
    {
      title: "Plataforma",
      details: [
        { label: "Intermediação", value: company.name },
        { label: "CNPJ", value: company.cnpj },
        { label: "Endereço", value: company.address },
      ],
    },
  ];
}

const MEANING =
  "Valores em reais. Cada um conta no dia em que aconteceu, pelo horário de Brasília: uma devolução conta quando o dinheiro voltou, e não no dia da venda. Contestado é o que o banco de quem pagou bloqueou: volta quando a decisão é sua. Líquido é o das vendas, menos o que foi devolvido ou contestado, menos a taxa. Sacado é o que o banco confirmou.";
const NOT_FISCAL =
  "Não é documento fiscal nem informe de rendimentos. O Coreto intermedeia as vendas e não retém imposto de quem vende. A taxa é um serviço do Coreto, com nota própria.";

/**
 * Text on who is taxed for what, limited to what the law says. Source: Lei 7.713/1988, art. 8; IN
 * RFB 1.500/2014, art. 53; LC 116/2003.
 */
function taxText({ owner }: EarningsSource): string {
  if (owner.document?.taxKind === "cnpj")
    return "Quem recebe por um CNPJ: a receita é da empresa e segue o regime de tributação dela. A nota de cada venda é emitida por quem vende, quando a lei pede.";
  return "Quem recebe por um CPF: o que pessoas físicas pagam a outra pessoa física entra no carnê-leão, a declaração mensal da Receita Federal, no mês do recebimento, e depois na declaração anual (Lei 7.713/1988, art. 8º; IN RFB 1.500/2014, art. 53). O que empresas pagam entra na declaração anual.";
}

/** Statement of a year with one row for each month that has started. */
export function yearlyStatementDocument(year: number, source: EarningsSource): PrintableDocument {
  const months = Array.from(
    { length: 12 },
    (_, index) => `${year}-${String(index + 1).padStart(2, "0")}`,
  ).filter((month) => monthBounds(month).from <= source.now);
  const rows = months.map((month) => ({
    label: MONTH_NAME.format(monthBounds(month).from),
    days: daysOf(month),
    figures: sumEarningsFigures(source.effects.filter(({ bucket }) => bucket === month)),
  }));
  const whole = { from: `${year}-01-01`, until: `${year}-12-31` };
  return {
    title: "Resumo anual de recebimentos",
    notice: "Não é documento fiscal",
    fileTitle: `Resumo anual de recebimentos de ${year}`,
    seed: `${source.owner.username}-${year}`,
    line: `Ano de ${year} · emitido em ${formatMinute(source.now)}`,
    total: null,
    sections: [
      {
        title: `Mês a mês, em ${year}`,
        table: figuresTable(`Recebimentos de ${year} por mês`, "Mês", rows, whole, source),
      },
      balanceSection(source, {
        label: String(year),
        days: whole,
        endsAt: monthBounds(`${year}-12`).until,
        before: `/settings/transfers/resumo?year=${year - 1}`,
      }),
      ...sidesOf(source),
    ],
    foot: [MEANING, NOT_FISCAL, taxText(source)],
  };
}

/**
 * Statement of a month with one row for each day that has entries. `invoice` is the platform's
 * invoice of its fee, once the month was invoiced.
 */
export function monthlyStatementDocument(
  month: Month,
  source: EarningsSource,
  invoice: FeeInvoice | null = null,
): PrintableDocument {
  const days = [...new Set(source.effects.map(({ bucket }) => bucket))].toSorted();
  const rows = days
    .map((day) => ({
      label: `${day.slice(8)}/${day.slice(5, 7)}`,
      days: { from: day, until: day },
      figures: sumEarningsFigures(source.effects.filter(({ bucket }) => bucket === day)),
    }))
    .filter(({ figures }) => earningsFigureNames.some((name) => figures[name] !== 0));
  const { from, until } = monthBounds(month);
  return {
    title: "Resumo mensal",
    notice: "Não é documento fiscal",
    fileTitle: `Resumo de ${monthTitle(month)}`,
    seed: `${source.owner.username}-${month}`,
    line: `De ${formatDay(from)} a ${formatDay(Math.min(until - 1, source.now))} · emitido em ${formatMinute(source.now)}`,
    total: null,
    sections: [
      balanceSection(source, {
        label: monthTitle(month),
        days: daysOf(month),
        endsAt: until,
        before: `/settings/transfers/extrato?month=${monthBefore(month)}`,
      }),
      {
        title: "Dia a dia",
        table: figuresTable(
          `Movimento de ${monthTitle(month)} por dia`,
          "Dia",
          rows,
          daysOf(month),
          source,
        ),
        ...(rows.length === 0 ? { note: "Nada aconteceu neste mês." } : {}),
      },
      ...(invoice === null ? [] : [invoiceSection(invoice, daysOf(month))]),
      ...sidesOf(source),
    ],
    foot: [MEANING, NOT_FISCAL],
  };
}

/** Invoice of the platform's fee for a month. */
export type FeeInvoice = {
  feeCents: Cents;
  carriedCents: Cents;
  invoicedCents: Cents;
  leftCents: Cents;
  number: number | null;
  issuedOn: string;
};

function invoiceSection(
  { feeCents, carriedCents, invoicedCents, leftCents, number, issuedOn }: FeeInvoice,
  days: DayRange,
): DocumentSection {
  return {
    title: "Nota da taxa da plataforma",
    details: [
      { label: "Taxa do mês", value: formatMoney(feeCents), to: figurePath("fee", days) },
      ...(carriedCents === 0
        ? []
        : [{ label: "Do mês anterior", value: formatMoney(carriedCents) }]),
      ...(number === null
        ? []
        : [
            {
              label: `RPS nº ${number}, série ${SERIES}, de ${formatDay(instantOfIsoDay(issuedOn))}`,
              value: formatMoney(invoicedCents),
            },
          ]),
      ...(leftCents === 0
        ? []
        : [{ label: "Fica para o mês seguinte", value: formatMoney(leftCents) }]),
    ],
  };
}

const daysOf = (month: Month): DayRange => ({
  from: isoDay(monthBounds(month).from),
  until: isoDay(monthBounds(month).until - 1),
});
