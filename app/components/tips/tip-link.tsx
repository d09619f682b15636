import { HandCoins } from "lucide-react";
import { ButtonLink } from "#app/components/ui/button.tsx";

export const tipPath = (username: string): string => `/space/${username}/tip`;

/** The way to "Apoiar uma vez"; a visitor leaves the cached page for it. */
export function TipLink({ username, label = "Apoiar uma vez", reloadDocument = false, className }: { username: string; label?: string; reloadDocument?: boolean; className?: string }) {
  return (
    <ButtonLink to={tipPath(username)} variant="outline" reloadDocument={reloadDocument} className={className}>
      <HandCoins aria-hidden="true" className="size-4 text-leaf" />
      {label}
    </ButtonLink>
  );
}
