import { HandCoins } from "lucide-react";
import { useMarkedPath } from "#app/components/shell/navigation/use-marked-path.ts";
import { ButtonLink } from "#app/components/ui/button.tsx";

export const tipPath = (username: string): string => `/space/${username}/tip`;

type TipLinkProps = {
  username: string;
  /** Uses a one-word label where space is short; screen readers get the full name. */
  isShort?: boolean;
  /** A visitor leaves the cached page for it. */
  reloadDocument?: boolean;
  className?: string;
};

/** Link to "Apoiar uma vez". */
export function TipLink({
  username,
  isShort = false,
  reloadDocument = false,
  className = "",
}: TipLinkProps) {
  return (
    <ButtonLink
      to={useMarkedPath()(tipPath(username))}
      variant="outline"
      reloadDocument={reloadDocument}
      aria-label={isShort ? "Apoiar uma vez" : undefined}
      className={`whitespace-nowrap max-sm:px-3 ${className}`}
    >
      <HandCoins aria-hidden="true" className="size-4 text-leaf" />
      {isShort ? "Apoiar" : "Apoiar uma vez"}
    </ButtonLink>
  );
}
