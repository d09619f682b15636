import type { Context } from "#app/domain/context.ts";
import { asProviderUnavailable } from "#app/domain/payments/providers/commands/provider-unavailable.server.ts";
import { providerOf } from "#app/domain/payments/providers/rules/providers.ts";
import { DifferenceNotFound } from "#app/domain/reconciliation/errors.ts";
import { differenceRow } from "#app/domain/reconciliation/queries/runs.server.ts";
import { examineObject } from "./examine.server.ts";
import { recordExamination } from "./record.server.ts";

/**
 * Examines one difference now, as the nightly run does. Returns whether it remains. Refuses
 * DifferenceNotFound and ProviderUnavailable.
 */
export async function reexamineDifference(
  ctx: Context,
  { differenceId }: { differenceId: string },
): Promise<{ isLeft: boolean }> {
  const row = await differenceRow(ctx, { differenceId });
  if (!row) throw new DifferenceNotFound();
  const { provider, object, objectId, ourId, reference } = row;
  await asProviderUnavailable(async () => {
    const verdict = await examineObject(ctx, providerOf(ctx, row), {
      object,
      objectId,
      ourId,
      reference,
    });
    await recordExamination(ctx, { provider, runId: null, verdict });
    const now = await differenceRow(ctx, { differenceId });
    // The examination of a refund may turn out to be about its charge. Then the refund itself has
    // no difference any more.
    if (now?.state === "open" && verdict.subject.object !== object)
      await recordExamination(ctx, {
        provider,
        runId: null,
        verdict: {
          ...verdict,
          subject: { object, objectId, ourId, reference },
          before: NONE,
          after: NONE,
        },
      });
  });
  return { isLeft: (await differenceRow(ctx, { differenceId }))?.state === "open" };
}

const NONE = { difference: null, ours: null, theirs: null };
