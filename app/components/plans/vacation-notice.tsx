import { TreePalm } from "lucide-react";
import { Link } from "react-router";
import { vacationLabel } from "#app/domain/plans/rules/vacations.ts";

const SELLS_NO_PLAN = "Nenhuma assinatura começa nem é cobrada.";

/** Notice of the creator's vacation, for visitors and for subscribers. */
export function VacationNotice({
  until,
  name,
  isOwn = false,
  isHere = false,
}: {
  until: number;
  name: string;
  isOwn?: boolean;
  /** Shown on the page of the vacation itself. */
  isHere?: boolean;
}) {
  return (
    <p role="status" className="flex items-start gap-3 rounded-card bg-sand px-5 py-4">
      <TreePalm aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-leaf" />
      <span>
        <strong className="font-semibold">{vacationLabel(until)}.</strong>{" "}
        {isHere ? (
          SELLS_NO_PLAN
        ) : isOwn ? (
          <>
            {SELLS_NO_PLAN}{" "}
            <Link to="/me/vacation" className="font-semibold underline underline-offset-3">
              Ver as férias
            </Link>
          </>
        ) : (
          `Quem assina ${name} ganha os mesmos dias a mais, sem ser cobrado. Novas assinaturas abrem na volta.`
        )}
      </span>
    </p>
  );
}
