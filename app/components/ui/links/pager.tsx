import type { MouseEventHandler } from "react";
import { useSearchParams } from "react-router";

import { ButtonLink } from "#app/components/ui/button.tsx";

/** Link to the next keyset page, with the other URL parameters kept. Renders nothing at the end. */
export function MoreLink({
  next,
  parameter = "cursor",
  onClick,
}: {
  next: string | null;
  parameter?: string;
  onClick?: MouseEventHandler<HTMLAnchorElement>;
}) {
  const [search] = useSearchParams();
  if (!next) return null;
  const forward = new URLSearchParams(search);
  forward.set(parameter, next);
  return (
    <div className="flex justify-center py-4">
      <ButtonLink to={`?${forward.toString()}`} variant="outline" {...(onClick ? { onClick } : {})}>
        Carregar mais
      </ButtonLink>
    </div>
  );
}

/** Note below a list cut to its newest rows. Renders nothing for a complete list. */
export function TruncatedNote({
  list: { items, isCut },
}: {
  list: { items: readonly unknown[]; isCut: boolean };
}) {
  return isCut ? <p className="text-small text-muted">As últimas {items.length}.</p> : null;
}
