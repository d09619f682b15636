import type { ComponentProps, ReactNode } from "react";
import { Link } from "react-router";
import { MoneyLink } from "./links/money-link.tsx";

/**
 * Column heading. `numeric`: figures align right. `wide`: hidden on a phone, where a note in the
 * row has its value.
 */
export type Column = { title: ReactNode; numeric?: boolean; wide?: boolean };

type TableProps = {
  /** Description for screen readers. */
  caption: string;
  columns: readonly Column[];
  /** The table is wider than a phone: it scrolls in its own box, which takes keyboard focus. */
  scrolls?: boolean;
  className?: string;
  /** The `tbody` elements. */
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

/** Cell with one amount that links to what is behind it; `children` show below it. */
export function MoneyTd({ wide = false, to = null, children, ...money }: MoneyTdProps) {
  return (
    <Td numeric wide={wide}>
      <MoneyLink to={to} {...money} />
      {children}
    </Td>
  );
}

/** Link to the object of a row. */
export function RowLink({ className = "", ...props }: ComponentProps<typeof Link>) {
  return (
    <Link
      className={`-my-0.5 inline-block py-0.5 underline underline-offset-4 ${className}`}
      {...props}
    />
  );
}

/** Note below the name in a row. `phoneOnly`: replaces the wide columns on a phone. */
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

/** Total row of a table. */
export function SumRow({ children }: { children: ReactNode }) {
  return <tr className="font-semibold">{children}</tr>;
}
