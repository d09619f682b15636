import type { ReactNode } from "react";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { Table } from "#app/components/ui/table.tsx";
import type { Column } from "#app/components/ui/table.tsx";

type ChartSectionProps = {
  id: string;
  title: string;
  /** The address of the table as a spreadsheet. */
  csv: string;
  /** The picture; absent where the table is enough. */
  chart?: ReactNode;
  note?: ReactNode;
  columns: readonly Column[];
  /** Folds the table below the picture. */
  folds?: boolean;
  /** The body of the table. */
  children?: ReactNode;
  /** A table of another form, in place of columns and body; null for none. */
  table?: ReactNode;
  /** Without rows there is no table: the note says why. */
  isEmpty?: boolean;
};

/** A picture, the table behind it, and the table as a spreadsheet. */
export function ChartSection({
  id,
  title,
  csv,
  chart,
  note,
  columns,
  folds = false,
  children,
  table: own,
  isEmpty = false,
}: ChartSectionProps) {
  const table = isEmpty
    ? null
    : (own ?? (
        <Table caption={`${title}, em tabela`} scrolls columns={columns}>
          {children}
        </Table>
      ));
  return (
    <section aria-labelledby={id} className="flex flex-col gap-3 break-inside-avoid">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 id={id} className="text-heading">
          {title}
        </h2>
        <ButtonLink to={csv} reloadDocument variant="outline" size="sm" className="print:hidden">
          <span>
            Baixar planilha<span className="sr-only">: {title}</span>
          </span>
        </ButtonLink>
      </div>
      {chart ? (
        <Card className="p-5">
          {chart}
          {note ? <p className="mt-3 text-small text-muted">{note}</p> : null}
        </Card>
      ) : note ? (
        <p className="text-small text-muted">{note}</p>
      ) : null}
      {folds ? (
        <details>
          <summary className="inline-flex min-h-11 cursor-pointer items-center text-small font-semibold">
            Ver os valores<span className="sr-only">: {title}</span>
          </summary>
          {table}
        </details>
      ) : (
        table
      )}
    </section>
  );
}
