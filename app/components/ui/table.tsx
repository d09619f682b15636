import type { ComponentProps, ReactNode } from "react";

/** Tabular figures; on a narrow screen the table scrolls inside its own box, never the page. `caption` is read, not shown. */
export function Table({ children, caption, className = "" }: { children: ReactNode; caption: string; className?: string }) {
  return (
    <div tabIndex={0} role="region" aria-label={caption} className={`relative overflow-x-auto rounded-card border border-line bg-card ${className}`}>
      <table className="w-full border-collapse text-small">
        <caption className="sr-only">{caption}</caption>
        {children}
      </table>
    </div>
  );
}

type CellProps<Tag extends "th" | "td"> = ComponentProps<Tag> & { numeric?: boolean };

export function Th({ numeric = false, className = "", ...props }: CellProps<"th">) {
  return <th scope="col" className={`border-b border-line px-3 py-3 font-semibold whitespace-nowrap sm:px-4 text-muted ${numeric ? "text-right" : "text-left"} ${className}`} {...props} />;
}

export function Td({ numeric = false, className = "", ...props }: CellProps<"td">) {
  return <td className={`border-b border-line px-3 py-3 align-top sm:px-4 ${numeric ? "text-right whitespace-nowrap" : "text-left"} ${className}`} {...props} />;
}
