import { ChevronRight, ExternalLink } from "lucide-react";
import { Link } from "react-router";
import { Card } from "#app/components/ui/card.tsx";

type ListedLink = { to: string; label: string; hint: string };

type LinkListProps = {
  links: readonly ListedLink[];
  /** Accessible name of the card; omitted where a heading names it. */
  label?: string;
  /** The links lead to public pages, which load as whole documents. */
  isPublic?: boolean;
};

/** List of links to pages, one row each with a description. */
export function LinkList({ links, label, isPublic = false }: LinkListProps) {
  const row = "flex min-h-16 items-center gap-3 px-5 py-3 hover:bg-sand/60";
  const mark = "size-5 shrink-0 text-muted";
  return (
    <Card {...(label ? { as: "section" as const, label } : {})} className="overflow-hidden">
      <ul className="divide-y divide-line">
        {links.map(({ to, ...labels }) => (
          <li key={to}>
            {isPublic ? (
              <a href={to} className={row}>
                <LinkLabels {...labels} />
                <ExternalLink aria-hidden="true" className={mark} />
              </a>
            ) : (
              <Link to={to} className={row}>
                <LinkLabels {...labels} />
                <ChevronRight aria-hidden="true" className={mark} />
              </Link>
            )}
          </li>
        ))}
      </ul>
    </Card>
  );
}

function LinkLabels({ label, hint }: Omit<ListedLink, "to">) {
  return (
    <span className="flex min-w-0 flex-1 flex-col">
      <span className="font-semibold">{label}</span>
      <span className="text-small text-muted">{hint}</span>
    </span>
  );
}
