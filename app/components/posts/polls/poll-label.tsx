import { ChartBar } from "lucide-react";
import { pollLabel } from "#app/domain/posts/rules/polls.ts";
import type { PollSummary } from "#app/domain/posts/schema.ts";

/** Poll label on a card: that the post has a poll, and whether it is still open. */
export function PollLabel({ poll }: { poll: PollSummary }) {
  return (
    <p className="inline-flex items-center gap-2 self-start rounded-full bg-sand px-3 py-1 text-small font-semibold">
      <ChartBar aria-hidden="true" className="size-4 shrink-0" />
      {pollLabel(poll)}
    </p>
  );
}
