import {
  dueErasures,
  dueSuspensions,
  endSuspension,
  eraseCase,
} from "#app/domain/moderation/reports/commands/retention.server.ts";
import { stepPerRow } from "#app/domain/retry-backoff/commands/steps.server.ts";
import type { Step } from "#app/domain/retry-backoff/commands/steps.server.ts";

export const moderationSteps = {
  endSuspensions: stepPerRow({
    name: "moderation.end_suspensions",
    event: "notifications.moderation_failed",
    due: dueSuspensions,
    each: (ctx, caseId) => endSuspension(ctx, { caseId }),
  }),
  eraseCases: stepPerRow({
    name: "moderation.erase_cases",
    event: "notifications.moderation_failed",
    due: dueErasures,
    each: (ctx, caseId) => eraseCase(ctx, { caseId }),
  }),
} satisfies Record<string, Step>;
