import type { ComponentProps, ReactNode } from "react";
import { Link } from "react-router";
import { DetailList } from "./detail-list.tsx";
import { DocumentActions } from "./document-actions.tsx";
import type {
  PrintableDocument,
  DocumentCell,
  DocumentDetail,
  DocumentTable,
} from "#app/lib/paper.ts";
import { Bandeirinhas } from "#app/components/ui/brand/bandeirinhas.tsx";
import { Table, Td } from "#app/components/ui/table.tsx";

type SheetProps = {
  paper: PrintableDocument;
  pdf: string;
  back: string;
  /** Links to other documents of the same kind. */
  children?: ReactNode;
};

/** Financial document on its page: readable, printable and available as PDF. */
export function DocumentSheet({ paper, pdf, back, children }: SheetProps) {
  return (
    <article className="mx-auto w-full max-w-[920px] overflow-hidden rounded-card border border-line bg-card print:border-0 print:bg-transparent">
      <Bandeirinhas seed={paper.seed} columns={44} rows={2} className="h-14 w-full" />
      <div className="flex flex-col gap-7 p-5 sm:p-8">
        <header>
          <h1 className="text-title">
            {paper.title}{" "}
            <span className="font-text text-body font-normal tracking-normal whitespace-nowrap text-muted">
              ({paper.notice.toLowerCase()})
            </span>
          </h1>
          <p className="text-small text-muted">{paper.line}</p>
        </header>
        {children ? <div className="flex flex-wrap gap-2 print:hidden">{children}</div> : null}
        {paper.sections.map((section) => (
          <section key={section.title} className="flex flex-col gap-3 break-inside-avoid">
            <h2 className="text-[1.125rem] leading-6">{section.title}</h2>
            {section.details ? (
              <DetailList
                details={section.details.map((fact) => ({
                  label: fact.label,
                  value: <Value fact={fact} />,
                }))}
              />
            ) : null}
            {section.table && section.table.rows.length > 0 ? (
              <Amounts table={section.table} />
            ) : null}
            {section.note ? <p className="text-small text-muted">{section.note}</p> : null}
          </section>
        ))}
        <div className="flex flex-col gap-2 text-small text-muted">
          {paper.foot.map((note) => (
            <p key={note}>{note}</p>
          ))}
        </div>
        <DocumentActions pdf={pdf} back={back} />
      </div>
    </article>
  );
}

function Amounts({ table }: { table: DocumentTable }) {
  return (
    <Table
      caption={table.caption}
      columns={table.head.map((title, index) => ({ title, numeric: index > 0 }))}
      scrolls
      className="print:overflow-visible print:border-0 print:[&_td]:px-1 print:[&_th]:px-1"
    >
      <tbody>
        {[...table.rows, ...(table.last ? [table.last] : [])].map((cells) => (
          <tr key={cells[0]?.text} className={cells === table.last ? "font-semibold" : ""}>
            {cells.map((cell, index) => (
              <Td key={table.head[index]} numeric={index > 0}>
                <Cell cell={cell} />
              </Td>
            ))}
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

function Cell({ cell: { text, to } }: { cell: DocumentCell }) {
  return to === undefined ? text : <FigureLink to={to}>{text}</FigureLink>;
}

function Value({ fact: { value, to, totalCents } }: { fact: DocumentDetail }) {
  if (to !== undefined) return <FigureLink to={to}>{value}</FigureLink>;
  return totalCents === undefined ? (
    <span className="wrap-anywhere">{value}</span>
  ) : (
    <data value={totalCents}>{value}</data>
  );
}

function FigureLink(props: ComponentProps<typeof Link>) {
  return (
    <Link
      className="underline decoration-line decoration-2 underline-offset-4 hover:decoration-leaf print:no-underline"
      {...props}
    />
  );
}
