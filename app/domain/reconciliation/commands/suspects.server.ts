import type { Context } from "#app/domain/context.ts";
import type { Cents } from "#app/domain/money.ts";
import type { PaymentProvider, ProviderPage } from "#app/domain/payments/schema.ts";
import { examinedIds } from "#app/domain/reconciliation/queries/runs.server.ts";
import type { ReconciliationRun } from "#app/domain/reconciliation/queries/runs.server.ts";
import { isUnbookedCost } from "#app/domain/reconciliation/rules/compare.ts";
import { isInFlight } from "#app/domain/reconciliation/rules/runs.ts";
import type {
  ComparedObject,
  Difference,
  ReconciledObject,
} from "#app/domain/reconciliation/schema.ts";
import type { Instant } from "#app/domain/time.ts";

type ListedItem = { id: string; reference: string | null };
type PairedItem = { ours: { id: string; movedAt: Instant } | null; difference: Difference | null };

/** Returns the objects that differ and are not in flight between us and the provider. */
export function suspectsOf<Each extends ListedItem>(
  ctx: Context,
  object: ComparedObject,
  items: ProviderPage<Each>["items"],
  pair: (item: Each) => PairedItem,
): ReconciledObject[] {
  return items.flatMap((item) => {
    const { ours, difference } = pair(item);
    if (!difference || (ours && isInFlight(ours.movedAt, ctx.now()))) return [];
    return [{ object, objectId: item.id, ourId: ours?.id ?? null, reference: item.reference }];
  });
}

/** Removes the objects that this run examined before it was killed or paused. */
export async function notExamined(
  ctx: Context,
  provider: PaymentProvider,
  run: ReconciliationRun,
  object: ComparedObject,
  suspects: ReconciledObject[],
): Promise<ReconciledObject[]> {
  if (suspects.length === 0) return suspects;
  const examined = await examinedIds(ctx, {
    provider: provider.name,
    runId: run.id,
    object,
    objectIds: suspects.map(({ objectId }) => objectId),
  });
  return suspects.filter(({ objectId }) => !examined.has(objectId));
}

/**
 * Returns the newly reported provider costs of objects that do not differ. A difference is settled
 * together with its cost.
 */
export function unbookedCosts<
  Ours extends {
    id: string;
    providerId: string | null;
    movedAt: Instant;
    costCents?: Cents | null;
  },
  Theirs extends { id: string; costCents?: Cents | null },
>(
  ctx: Context,
  items: readonly Theirs[],
  matched: ReadonlyMap<string, Ours>,
  compare: (ours: Ours, theirs: Theirs) => Difference | null,
  book: (ours: Ours, theirs: Theirs) => Promise<unknown>,
): (() => Promise<unknown>)[] {
  return items.flatMap((theirs) => {
    const ours = matched.get(theirs.id);
    const isOwn =
      ours?.providerId === theirs.id &&
      isUnbookedCost(ours, theirs) &&
      compare(ours, theirs) === null &&
      !isInFlight(ours.movedAt, ctx.now());
    return isOwn ? [() => book(ours, theirs)] : [];
  });
}
