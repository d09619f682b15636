import { HandCoins } from "lucide-react";
import { ButtonLink } from "#app/components/ui/button.tsx";

export const tipPath = (username: string): string => `/space/${username}/tip`;

type TipLinkProps = {
  username: string;
  /** Where it stands beside others there is room for one word; its whole name is still said. */
  isShort?: boolean;
  /** A visitor leaves the cached page for it. */
  reloadDocument?: boolean;
  className?: string;
};

/** The way to "Apoiar uma vez". */
export function TipLink({
  username,
  isShort = false,
  reloadDocument = false,
  className = "",
}: TipLinkProps) {
  return (
    <ButtonLink
      to={tipPath(username)}
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
