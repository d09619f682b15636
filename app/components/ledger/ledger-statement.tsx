import { Download } from "lucide-react";
import type { ReactNode } from "react";
import { Form } from "react-router";
import { Button, ButtonLink } from "#app/components/ui/button.tsx";
import { TextField } from "#app/components/ui/fields/field.tsx";
import { MoneyLink } from "#app/components/ui/links/money-link.tsx";
import { MoneyTd, RowLink, RowNote, Table, Td } from "#app/components/ui/table.tsx";
import { formatMinute, isoOfDayNumber, parseDay } from "#app/domain/time.ts";

/**
 * `to`: path of the cause. `open`: path of all legs, for those who may see them. `balanceCents` is
 * null where the list shows only some entries of the account.
 */
type StatementLine = {
  id: string;
  at: number;
  text: string;
  to: string | null;
  open?: string;
  amountCents: number;
  balanceCents: number | null;
};

/** Opening and closing balance of the account, or the total of the entries shown. */
type StatementSums =
  | { openingCents: number; closingCents: number }
  | { inCents: number; outCents: number; sumCents: number };

type StatementProps = {
  /** Path of the downloadable files; the page adds its period. */
  path: string;
  hidden?: Record<string, string>;
  title: string;
  lines: StatementLine[];
  sums: StatementSums;
  values: { from: string; until: string };
  errors: Record<string, string>;
};

/**
 * Entries of one account between two days, each with the balance after it. Shows opening and
 * closing balances, or a total where a filter hides entries.
 */
export function LedgerStatementView({
  path,
  hidden = {},
  title,
  lines,
  sums,
  values,
  errors,
}: StatementProps) {
  const period = Object.fromEntries(
    Object.entries(values).filter(([name, value]) => value && !errors[name]),
  );
  const search = new URLSearchParams({ ...hidden, ...period });
  return (
    <div className="flex flex-col gap-5">
      <Form
        method="get"
        className="grid grid-cols-2 items-end gap-3 sm:flex sm:flex-wrap"
        noValidate
      >
        {Object.entries(hidden).map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        <TextField
          key={`from-${values.from}`}
          label="De"
          name="from"
          type="date"
          defaultValue={values.from}
          error={errors.from}
        />
        <TextField
          key={`until-${values.until}`}
          label="Até"
          name="until"
          type="date"
          defaultValue={values.until}
          error={errors.until}
        />
        <Button variant="outline" className="justify-self-start">
          Mostrar
        </Button>
      </Form>
      {"sumCents" in sums ? (
        <SomeSums {...sums} />
      ) : (
        <Sums {...sums} hidden={hidden} period={period} />
      )}
      {lines.length === 0 ? (
        <p className="text-muted">Nenhum lançamento neste período.</p>
      ) : (
        <Lines title={title} lines={lines} />
      )}
      {lines.length === 0 || "sumCents" in sums ? null : (
        <div className="flex flex-wrap gap-2">
          <FileLink to={`${path}/planilha.csv?${search.toString()}`}>Baixar planilha</FileLink>
          <FileLink to={`${path}/extrato.ofx?${search.toString()}`}>Baixar OFX</FileLink>
        </div>
      )}
    </div>
  );
}

/** Opening and closing balances come from entries outside the list: each links to its own. */
function Sums({
  openingCents,
  closingCents,
  hidden,
  period,
}: {
  openingCents: number;
  closingCents: number;
  hidden: Record<string, string>;
  period: { from?: string; until?: string };
}) {
  const upTo = (day: string | undefined) =>
    `?${new URLSearchParams({ ...hidden, ...(day ? { until: day } : {}) }).toString()}`;
  if (!period.from) {
    return (
      <dl>
        <Figure label={period.until ? "No fim do período" : "Saldo"} cents={closingCents} isTotal />
      </dl>
    );
  }
  return (
    <dl className="grid grid-cols-2 gap-4 sm:grid-cols-3">
      <Figure label="Antes" cents={openingCents} to={upTo(dayBefore(period.from))} />
      <Figure label="No período" cents={closingCents - openingCents} isTotal />
      <Figure label="Depois" cents={closingCents} to={upTo(period.until)} />
    </dl>
  );
}

/** The day before a date that was typed or chosen. */
function dayBefore(typed: string): string {
  const day = parseDay(typed);
  return day === null ? "" : isoOfDayNumber(day - 1);
}

function SomeSums({
  inCents,
  outCents,
  sumCents,
}: {
  inCents: number;
  outCents: number;
  sumCents: number;
}) {
  return (
    <dl className="grid grid-cols-2 gap-4 sm:grid-cols-3">
      {inCents !== 0 && outCents !== 0 ? (
        <>
          <Figure label="Entrou" cents={inCents} isTotal />
          <Figure label="Saiu" cents={outCents} isTotal />
        </>
      ) : null}
      <Figure label="Soma" cents={sumCents} isTotal />
    </dl>
  );
}

function FileLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <ButtonLink to={to} reloadDocument variant="outline" size="sm">
      <Download aria-hidden="true" className="size-4.5" />
      {children}
    </ButtonLink>
  );
}

function Figure({
  label,
  cents,
  to = null,
  isTotal = false,
}: {
  label: string;
  cents: number;
  to?: string | null;
  isTotal?: boolean;
}) {
  return (
    <div>
      <dt className="text-small text-muted">{label}</dt>
      <dd>
        <MoneyLink to={to} cents={cents} size="large" isTotal={isTotal} />
      </dd>
    </div>
  );
}

function Lines({ title, lines }: Pick<StatementProps, "title" | "lines">) {
  const hasBalances = lines.some(({ balanceCents }) => balanceCents !== null);
  return (
    <Table
      caption={`Lançamentos em ${title}`}
      columns={[
        { title: "Lançamento" },
        { title: "Valor", numeric: true },
        ...(hasBalances ? [{ title: "Saldo", numeric: true }] : []),
      ]}
    >
      <tbody>
        {lines.map((line) => (
          <tr key={line.id} id={`lancamento-${line.id}`}>
            <Td>
              {line.to === null ? line.text : <RowLink to={line.to}>{line.text}</RowLink>}
              <RowNote>{formatMinute(line.at)}</RowNote>
            </Td>
            <MoneyTd
              to={line.open ?? null}
              cents={line.amountCents}
              {...(line.amountCents > 0 ? { tone: "in" as const } : {})}
            />
            {line.balanceCents === null ? null : <MoneyTd cents={line.balanceCents} />}
          </tr>
        ))}
      </tbody>
    </Table>
  );
}
