import { ArrowLeft, ArrowRight } from "lucide-react";
import { Link } from "react-router";

type Neighbour = { side: "older" | "newer"; id: string; title: string };

/**
 * Previous and next post of the same author. `pathOf` builds the path of a post, for members or
 * visitors.
 */
export function AdjacentPosts({
  neighbours,
  pathOf,
  reloadDocument = false,
}: {
  neighbours: Neighbour[];
  pathOf: (postId: string) => string;
  reloadDocument?: boolean;
}) {
  if (neighbours.length === 0) return null;
  const look =
    "flex min-h-16 flex-1 basis-56 items-center gap-3 rounded-card border border-line bg-card px-4 py-3 hover:border-edge";
  return (
    <nav aria-label="Outras publicações" className="flex flex-wrap gap-3">
      {neighbours.map(({ side, id, title }) => (
        <Link
          key={id}
          to={pathOf(id)}
          rel={side === "older" ? "prev" : "next"}
          reloadDocument={reloadDocument}
          className={`${look} ${side === "newer" ? "justify-end text-right" : ""}`}
        >
          {side === "older" ? (
            <ArrowLeft aria-hidden="true" className="size-5 shrink-0 text-leaf" />
          ) : null}
          <span className="flex min-w-0 flex-col">
            <span className="text-small text-muted">
              {side === "older" ? "Anterior" : "Próxima"}
            </span>
            <span className="line-clamp-2 font-semibold">{title}</span>
          </span>
          {side === "newer" ? (
            <ArrowRight aria-hidden="true" className="size-5 shrink-0 text-leaf" />
          ) : null}
        </Link>
      ))}
    </nav>
  );
}
