import type { Context } from "#app/domain/context.ts";
import { ProviderRefused } from "#app/domain/payments/errors.ts";
import type {
  Difference,
  DifferenceSide,
  ReconciledObject,
} from "#app/domain/reconciliation/schema.ts";

/** The two sides of an object as they are now, and their difference. */
export type Comparison = {
  difference: Difference | null;
  ours: DifferenceSide | null;
  theirs: DifferenceSide | null;
};

/**
 * The comparison before the provider's present answer was applied, and after it. `subject` is the
 * examined object, which may be the charge of a refund.
 */
export type ExaminationResult = {
  subject: ReconciledObject;
  before: Comparison;
  after: Comparison;
};

/**
 * Applies an answer. One that cannot be applied, for whatever reason, stays as a visible difference
 * and blocks nothing.
 */
export async function applyAnswer(
  ctx: Context,
  { object, objectId }: ReconciledObject,
  apply: () => Promise<unknown>,
): Promise<void> {
  try {
    await apply();
  } catch (error) {
    ctx.log("reconciliation.not_applied", {
      object,
      objectId,
      error: error instanceof Error ? `${error.name}: ${error.message}` : "unknown",
    });
  }
}

/** Returns null if the provider, asked by id, does not know the object. */
export async function orNone<Answer>(asked: Promise<Answer>): Promise<Answer | null> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof ProviderRefused) return null;
    throw error;
  }
}
