import { Gift } from "lucide-react";
import { useMarkedPath } from "#app/components/shell/navigation/use-marked-path.ts";
import { ButtonLink } from "#app/components/ui/button.tsx";

/** Link to give a plan as a gift. */
export function GiftLink({
  planId,
  planName,
  reloadDocument = false,
}: {
  planId: string;
  planName: string;
  /** A visitor leaves the cached page for it. */
  reloadDocument?: boolean;
}) {
  return (
    <ButtonLink
      to={useMarkedPath()(`/plan/${planId}/gift`)}
      reloadDocument={reloadDocument}
      variant="ghost"
      size="sm"
      className="mt-1 w-full"
      aria-label={`Dar de presente: ${planName}`}
    >
      <Gift aria-hidden="true" className="size-4.5" />
      Dar de presente
    </ButtonLink>
  );
}
