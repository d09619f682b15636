import type { StaffAction } from "#app/domain/payouts/staff-review/queries/staff-review.server.ts";
import { formatMinute } from "#app/domain/time.ts";
import { STAFF_ACTION_LABELS } from "./staff-review-labels.ts";

/** Actions of moderators on a payout, newest first. Renders nothing without any. */
export function StaffActionList({ acts }: { acts: StaffAction[] }) {
  if (acts.length === 0) return null;
  return (
    <section aria-labelledby="acts" className="flex flex-col gap-2">
      <h2 id="acts" className="text-heading">
        O que foi feito
      </h2>
      <ul className="flex flex-col gap-2 text-small">
        {acts.map((one) => (
          <li key={`${one.createdAt}-${one.act}`}>
            <span className="font-semibold">{one.moderatorName ?? "Conta encerrada"}</span>{" "}
            {STAFF_ACTION_LABELS[one.act]} em {formatMinute(one.createdAt)}
            {one.note ? `: ${one.note}` : ""}
          </li>
        ))}
      </ul>
    </section>
  );
}
