import { advanceDeletion } from "#app/domain/deletion/commands/advance.server.ts";
import { deletionsDue } from "#app/domain/deletion/queries/deletions.server.ts";
import { FISCAL_YEARS } from "#app/domain/deletion/rules.ts";
import { forgetArchivedDocuments } from "#app/domain/documents/commands/erasure.server.ts";
import { eachDue } from "#app/domain/setbacks/commands/steps.server.ts";
import type { Step } from "#app/domain/setbacks/commands/steps.server.ts";
import { addMonths } from "#app/domain/time.ts";

const DELETIONS_LIMIT = 500;
const FORGET_LIMIT = 100;

/** Deletions go on, and what the law made us keep of them is forgotten. */
export const deletionSteps = {
  advance: eachDue({
    name: "deletion.advance",
    event: "renewals.deletion_failed",
    due: (ctx, now) => deletionsDue(ctx, { now, limit: DELETIONS_LIMIT }),
    each: (ctx, deletionId) => advanceDeletion(ctx, { deletionId }),
  }),
  forgetArchivedDocuments: {
    name: "deletion.forget_archived_documents",
    event: "renewals.forgetting_failed",
    run: (ctx) =>
      forgetArchivedDocuments(ctx, {
        before: addMonths(ctx.now(), -12 * FISCAL_YEARS),
        limit: FORGET_LIMIT,
      }),
  },
} satisfies Record<string, Step>;
