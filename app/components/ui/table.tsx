import type { ComponentProps, ReactNode } from "react";
import { Link } from "react-router";
import { MoneyLink } from "./money-link.tsx";

/**
 * A heading. `numeric`: its figures stand to the right. `wide`: a phone has no room for the column,
 * and its rows say it in a note.
 */
export type Column = { title: ReactNode; numeric?: boolean; wide?: boolean };

type TableProps = {
  /** Read to who does not see the table. */
  caption: string;
  columns: readonly Column[];
  /** Its columns need more than a phone has: it scrolls in its own box, which the keyboard reaches. */
  scrolls?: boolean;
  className?: string;
  /** Each `tbody`. */
  children: ReactNode;
};

const WIDE = "hidden sm:table-cell";
const CELL = "border-b border-line px-3 py-3 sm:px-4";

export function Table({ caption, columns, scrolls = false, className = "", children }: TableProps) {
  return (
    <div
      {...(scrolls ? { tabIndex: 0, role: "region", "aria-label": caption } : {})}
      className={`relative overflow-x-auto rounded-card border border-line bg-card ${className}`}
    >
      <table className="w-full border-collapse text-small">
        <caption className="sr-only">{caption}</caption>
        <thead>
          <tr>
            {columns.map(({ title, numeric = false, wide = false }, position) => (
              <th
                key={position}
                scope="col"
                className={`${CELL} font-semibold text-muted ${numeric ? "text-right" : "text-left"} ${wide ? WIDE : ""}`}
              >
                {title}
              </th>
            ))}
          </tr>
        </thead>
        {children}
      </table>
    </div>
  );
}

type CellProps = ComponentProps<"td"> & Omit<Column, "title">;

export function Td({ numeric = false, wide = false, className = "", ...props }: CellProps) {
  return (
    <td
      className={`${CELL} align-top ${numeric ? "text-right whitespace-nowrap tabular-nums" : "text-left"} ${wide ? WIDE : ""} ${className}`}
      {...props}
    />
  );
}

type MoneyTdProps = Omit<ComponentProps<typeof MoneyLink>, "to"> & {
  to?: string | null;
  wide?: boolean;
  children?: ReactNode;
};

/** A cell of one amount, which opens what is behind it; `children` are said below it. */
export function MoneyTd({ wide = false, to = null, children, ...money }: MoneyTdProps) {
  return (
    <Td numeric wide={wide}>
      <MoneyLink to={to} {...money} />
      {children}
    </Td>
  );
}

/** What a row is of, opening it. */
export function RowLink({ className = "", ...props }: ComponentProps<typeof Link>) {
  return (
    <Link
      className={`-my-0.5 inline-block py-0.5 underline underline-offset-4 ${className}`}
      {...props}
    />
  );
}

/** What a row says below the name of what it is of. `phoneOnly`: in the place of its wide columns. */
export function RowNote({
  phoneOnly = false,
  children,
}: {
  phoneOnly?: boolean;
  children: ReactNode;
}) {
  return (
    <span
      className={`mt-0.5 block text-caption font-normal text-muted ${phoneOnly ? "sm:hidden" : ""}`}
    >
      {children}
    </span>
  );
}

/** The last row of a table, which sums it up. */
export function SumRow({ children }: { children: ReactNode }) {
  return <tr className="font-semibold">{children}</tr>;
}
