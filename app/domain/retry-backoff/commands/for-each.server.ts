import { faultText } from "#app/db/errors.ts";
import type { Context } from "#app/domain/context.ts";
import { recordFailure } from "#app/domain/retry-backoff/commands.server.ts";
import type { RetryKind } from "#app/domain/retry-backoff/rules.ts";

type Options = {
  kind?: RetryKind | undefined;
  hasRoom?: (() => boolean) | undefined;
  /** The name of the scheduled step, for the log. */
  step?: string | undefined;
};

/**
 * Runs `work` for each due id while the run has budget.
 *
 * A failure is logged and left for a later run of this `kind` (`recordFailure`). It does not stop
 * the other rows of the page, and repeated failures do not block the rows behind it.
 */
export async function forEachQuietly(
  ctx: Context,
  event: `${string}.${string}`,
  ids: readonly string[],
  work: (id: string) => Promise<unknown>,
  { kind, hasRoom = () => true, step }: Options = {},
): Promise<void> {
  for (const id of ids) {
    if (!hasRoom()) return;
    try {
      await work(id);
    } catch (error) {
      ctx.log(event, { step, id, error: faultText(error) });
      await setBackQuietly(ctx, id, kind);
    }
  }
}

/** Runs `recordFailure`; its own failure is only logged. */
export async function setBackQuietly(
  ctx: Context,
  subjectId: string,
  kind?: RetryKind,
): Promise<void> {
  await recordFailure(ctx, { subjectId, kind }).catch((fault: unknown) =>
    ctx.log("calendar.setback_lost", { id: subjectId, error: faultText(fault) }),
  );
}
