import type { MouseEvent, ReactNode } from "react";
import { Link, useLocation, useNavigate } from "react-router";
import { ButtonLink } from "#app/components/ui/button.tsx";

/**
 * Link to another form that asks for an identifier. It takes along the identifier typed here.
 * Without JavaScript it is a plain link.
 */
export function LinkWithIdentifier({
  to,
  isButton = false,
  children,
}: {
  to: string;
  isButton?: boolean;
  children: ReactNode;
}) {
  const navigate = useNavigate();
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    const field = event.currentTarget.closest("form")?.elements.namedItem("identifier");
    const isPlain =
      event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
    if (!isPlain || !(field instanceof HTMLInputElement) || field.value === "") return;
    event.preventDefault();
    void navigate(to, { state: { identifier: field.value } });
  };
  if (isButton)
    return (
      <ButtonLink to={to} onClick={follow} variant="outline" size="lg">
        {children}
      </ButtonLink>
    );
  return (
    <Link
      to={to}
      onClick={follow}
      className="inline-flex min-h-11 items-center font-semibold text-leaf underline underline-offset-2"
    >
      {children}
    </Link>
  );
}

/** Identifier typed on the previous page. */
export function useTypedIdentifier(): string | undefined {
  const state: unknown = useLocation().state;
  if (typeof state !== "object" || state === null || !("identifier" in state)) return undefined;
  return typeof state.identifier === "string" ? state.identifier : undefined;
}
