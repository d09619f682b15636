import { Download } from "lucide-react";
import type { ReactNode } from "react";
import { Form, Link } from "react-router";
import { Button, ButtonLink } from "#app/components/ui/button.tsx";
import { TextField } from "#app/components/ui/field.tsx";
import { Money } from "#app/components/ui/money.tsx";
import { Table, Td, Th } from "#app/components/ui/table.tsx";
import { formatMinute } from "#app/domain/time.ts";

export type StatementLine = { id: string; at: number; words: string; to: string | null; amountCents: number; balanceCents: number };

type StatementProps = {
  /** Where its files are; the page's own period is added. */
  path: string;
  hidden?: Record<string, string>;
  title: string;
  lines: StatementLine[];
  openingCents: number;
  closingCents: number;
  values: { from: string; until: string };
  errors: Record<string, string>;
};

/** The entries of one account between two days: what it had, each entry with what it came to, and what it has. */
export function LedgerStatement({ path, hidden = {}, title, lines, openingCents, closingCents, values, errors }: StatementProps) {
  const search = new URLSearchParams({ ...hidden, ...Object.fromEntries(Object.entries(values).filter(([name, value]) => value && !errors[name])) });
  return (
    <div className="flex flex-col gap-5">
      <Form method="get" className="grid grid-cols-2 items-end gap-3 sm:flex sm:flex-wrap" noValidate>
        {Object.entries(hidden).map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        <TextField key={`from-${values.from}`} label="De" name="from" type="date" defaultValue={values.from} error={errors.from} />
        <TextField key={`until-${values.until}`} label="Até" name="until" type="date" defaultValue={values.until} error={errors.until} />
        <Button variant="outline" className="justify-self-start">Mostrar</Button>
      </Form>
      <dl className="grid grid-cols-2 gap-4">
        <Figure label="Antes" cents={openingCents} />
        <Figure label="Depois" cents={closingCents} />
      </dl>
      {lines.length === 0 ? <p className="text-muted">Nenhum lançamento neste período.</p> : <Lines title={title} lines={lines} />}
      {lines.length === 0 ? null : (
        <div className="flex flex-wrap gap-2">
          <FileLink to={`${path}/planilha.csv?${search.toString()}`}>Baixar planilha</FileLink>
          <FileLink to={`${path}/extrato.ofx?${search.toString()}`}>Baixar OFX</FileLink>
        </div>
      )}
    </div>
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

function Figure({ label, cents }: { label: string; cents: number }) {
  return (
    <div>
      <dt className="text-small text-muted">{label}</dt>
      <dd>
        <Money cents={cents} size="large" />
      </dd>
    </div>
  );
}

function Lines({ title, lines }: Pick<StatementProps, "title" | "lines">) {
  return (
    <Table caption={`Lançamentos em ${title}`}>
      <thead>
        <tr>
          <Th>Lançamento</Th>
          <Th numeric>Valor</Th>
          <Th numeric>Saldo</Th>
        </tr>
      </thead>
      <tbody>
        {lines.map((line) => (
          <tr key={line.id}>
            <Td className="min-w-32">
              {line.to === null ? (
                line.words
              ) : (
                <Link to={line.to} className="underline underline-offset-4">
                  {line.words}
                </Link>
              )}
              <span className="block text-caption text-muted">{formatMinute(line.at)}</span>
            </Td>
            <Td numeric>
              <Money cents={line.amountCents} {...(line.amountCents > 0 ? { tone: "in" as const } : {})} />
            </Td>
            <Td numeric>
              <Money cents={line.balanceCents} />
            </Td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}
