import { advanceDeletion } from "./advance.server.ts";
import { dueDeletions } from "#app/domain/deletion/queries/deletions.server.ts";
import { FISCAL_RETENTION_YEARS } from "#app/domain/deletion/rules.ts";
import { purgeArchivedDocuments } from "#app/domain/documents/erasure/commands.server.ts";
import { stepPerRow } from "#app/domain/retry-backoff/commands/steps.server.ts";
import type { Step } from "#app/domain/retry-backoff/commands/steps.server.ts";
import { addMonths } from "#app/domain/time.ts";

const DELETIONS_LIMIT = 500;
const FORGET_LIMIT = 100;

/** Advances deletions, and purges their records once the legal retention ended. */
export const deletionSteps = {
  advance: stepPerRow({
    name: "deletion.advance",
    event: "renewals.deletion_failed",
    due: (ctx, now) => dueDeletions(ctx, { now, limit: DELETIONS_LIMIT }),
    each: (ctx, deletionId) => advanceDeletion(ctx, { deletionId }),
  }),
  forgetArchivedDocuments: {
    name: "deletion.forget_archived_documents",
    event: "renewals.forgetting_failed",
    run: (ctx) =>
      purgeArchivedDocuments(ctx, {
        before: addMonths(ctx.now(), -12 * FISCAL_RETENTION_YEARS),
        limit: FORGET_LIMIT,
      }),
  },
} satisfies Record<string, Step>;
