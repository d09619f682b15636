import type { MouseEventHandler } from "react";
import { useSearchParams } from "react-router";

import { ButtonLink } from "./button.tsx";

/** The way to the next keyset page; nothing at the end. Keeps every other parameter of the address. */
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

/** Beneath a list of the newest that goes no further; nothing where it is whole. */
export function TruncatedNote({
  list: { items, isCut },
}: {
  list: { items: readonly unknown[]; isCut: boolean };
}) {
  return isCut ? <p className="text-small text-muted">As últimas {items.length}.</p> : null;
}
