import type { CaseDecision } from "#app/domain/moderation/reports/schema.ts";
import { DAY_MS } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";

/** Source: issue 22 and Mastodon's appeals. */
export const APPEAL_DAYS = 20;

/** Until when the author may appeal against a decision of `decidedAt`. */
export const appealUntil = (decidedAt: Instant): Instant => decidedAt + APPEAL_DAYS * DAY_MS;

export type AppealProblem = "nothing_decided" | "already_appealed" | "too_late";

/** Why the author cannot appeal at `now`, or null. A dismissal harms nobody. */
export function appealProblem(
  state: { decision: CaseDecision | null; decidedAt: Instant | null; hasAppeal: boolean },
  now: Instant,
): AppealProblem | null {
  if (state.hasAppeal) return "already_appealed";
  if (state.decision === null || state.decision === "dismiss" || state.decidedAt === null)
    return "nothing_decided";
  return now > appealUntil(state.decidedAt) ? "too_late" : null;
}

/**
 * Whether this moderator may decide an appeal: another than the first, unless there is no other
 * without a part in the case.
 */
export const canDecideAppeal = ({
  isFirstDecider,
  othersCount,
}: {
  isFirstDecider: boolean;
  othersCount: number;
}): boolean => !isFirstDecider || othersCount === 0;
