import { sql } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import { settleRefundTransfer } from "#app/domain/payments/refund-transfers/commands/settle-refund-transfer.server.ts";
import type { ListRequest, PaymentProvider } from "#app/domain/payments/schema.ts";
import { settlePayout } from "#app/domain/payouts/sending/commands/settle.server.ts";
import { settleCharge } from "#app/domain/payments/charges/commands/settle.server.ts";
import { settleDispute } from "#app/domain/payments/disputes/commands/settle-dispute.server.ts";
import { settleRefund } from "#app/domain/payments/refunds/commands/refunds.server.ts";
import {
  matchMandates,
  unlistedMandates,
} from "#app/domain/reconciliation/queries/mandate-pairs.server.ts";
import {
  matchCharges,
  matchDisputes,
  matchRefunds,
  matchTransfers,
} from "#app/domain/reconciliation/queries/pairs.server.ts";
import {
  unlistedCharges,
  unlistedRefunds,
  unlistedTransfers,
} from "#app/domain/reconciliation/queries/unlisted.server.ts";
import type {
  RunSighting,
  UnlistedRow,
} from "#app/domain/reconciliation/queries/unlisted.server.ts";
import { openDifferences, expiredRuns } from "#app/domain/reconciliation/queries/runs.server.ts";
import type { ReconciliationRun } from "#app/domain/reconciliation/queries/runs.server.ts";
import {
  compareMandate,
  compareCharge,
  compareDispute,
  compareRefund,
  compareTransfer,
} from "#app/domain/reconciliation/rules/compare.ts";
import { listedSince, settledCutoff } from "#app/domain/reconciliation/rules/runs.ts";
import type { ReconciliationStep } from "#app/domain/reconciliation/rules/runs.ts";
import type { ReconciledObject } from "#app/domain/reconciliation/schema.ts";
import { lowestIdAt } from "#app/domain/time.ts";
import { reconciliationSightings } from "#drizzle/schema/reconciliation.ts";
import { suspectsOf, notExamined, unbookedCosts } from "./suspects.server.ts";

/**
 * The result of one page of a step: objects to examine, objects that the provider listed, and where
 * the step continues; null at its end.
 */
export type StepPage = {
  suspects: ReconciledObject[];
  seen: { object: RunSighting; ids: string[] } | null;
  next: string | null;
  /** Book newly reported costs. */ costs?: (() => Promise<unknown>)[];
};

const OPEN_AT_ONCE = 20;
const UNSEEN_AT_ONCE = 30;
const FORGOTTEN_AT_ONCE = 2_000;
/** Runs that may have expired since the last purge: one per provider, and more. */
const FORGOTTEN_RUNS = 20;
/** An empty page, the last of its step. */
export const EMPTY_STEP_PAGE: StepPage = { suspects: [], seen: null, next: null };

type StepReadContext = (
  ctx: Context,
  provider: PaymentProvider,
  run: ReconciliationRun,
) => Promise<StepPage>;

/**
 * Reads one page of a run's step and compares it. It writes nothing, except for what the `forget`
 * step deletes. Throws ProviderUnclear.
 */
export function readStepPage(
  ctx: Context,
  provider: PaymentProvider,
  run: ReconciliationRun & { step: ReconciliationStep },
): Promise<StepPage> {
  return STEPS[run.step](ctx, provider, run);
}

const STEPS: Record<ReconciliationStep, StepReadContext> = {
  async again(ctx, provider, run) {
    const rows = await openDifferences(ctx, {
      provider: provider.name,
      runId: run.id,
      after: run.cursor ?? "",
      limit: OPEN_AT_ONCE,
    });
    const suspects = rows.map(({ object, objectId, ourId, reference }) => ({
      object,
      objectId,
      ourId,
      reference,
    }));
    return {
      ...EMPTY_STEP_PAGE,
      suspects,
      next: rows.length < OPEN_AT_ONCE ? null : (rows.at(-1)?.id ?? null),
    };
  },

  async charges(ctx, provider, run) {
    const { items, next } = await provider.chargesSince(asked(run, "charges"));
    const matched = await matchCharges(ctx, { provider: provider.name, items });
    const suspects = suspectsOf(ctx, "charge", items, (item) => {
      const ours = matched.get(item.id) ?? null;
      const isAnother = ours !== null && ours.providerId !== null && ours.providerId !== item.id;
      return {
        ours,
        difference:
          isAnother && item.status === "succeeded"
            ? compareCharge(null, item)
            : compareCharge(ours, item),
      };
    });
    return {
      suspects: await notExamined(ctx, provider, run, "charge", suspects),
      seen: { object: "charge", ids: items.map(({ id }) => id) },
      next,
      costs: unbookedCosts(ctx, items, matched, compareCharge, ({ id: chargeId }, providerCharge) =>
        settleCharge(ctx, { chargeId, providerCharge }),
      ),
    };
  },

  async refunds(ctx, provider, run) {
    const { items, next } = await provider.refundsSince(asked(run, "refunds"));
    const matched = await matchRefunds(ctx, { provider: provider.name, items });
    const differing = suspectsOf(ctx, "refund", items, (item) => ({
      ours: matched.get(item.id) ?? null,
      difference: compareRefund(matched.get(item.id) ?? null, item),
    }));
    const suspects = await notExamined(ctx, provider, run, "refund", differing);
    // Refunded on the provider's own pages, or after the provider said no: the charge says how much
    // was refunded.
    const outside = items.filter(
      ({ id, status }) =>
        status === "succeeded" && (matched.get(id)?.status ?? "failed") === "failed",
    );
    const charges = await matchCharges(ctx, {
      provider: provider.name,
      items: outside.map(({ chargeId }) => ({ id: chargeId })),
    });
    const backOf = (chargeId: string) =>
      outside.reduce((sum, item) => (item.chargeId === chargeId ? sum + item.amountCents : sum), 0);
    const short = [...charges]
      .filter(([chargeId, { refundedCents }]) => refundedCents < backOf(chargeId))
      .map(([objectId, { id }]): ReconciledObject => ({
        object: "charge",
        objectId,
        ourId: id,
        reference: null,
      }));
    return {
      suspects: [...suspects, ...(await notExamined(ctx, provider, run, "charge", short))],
      seen: { object: "refund", ids: items.map(({ id }) => id) },
      next,
      costs: unbookedCosts(ctx, items, matched, compareRefund, ({ id: refundId }, providerRefund) =>
        settleRefund(ctx, { refundId, providerRefund }),
      ),
    };
  },

  async transfers(ctx, provider, run) {
    if (!provider.can.has("transfer_to_pix_key")) return EMPTY_STEP_PAGE;
    const { items, next } = await provider.transfersSince(asked(run, "transfers"));
    const matched = await matchTransfers(ctx, { provider: provider.name, items });
    const suspects = suspectsOf(ctx, "transfer", items, (item) => {
      const ours = matched.get(item.id) ?? null;
      const isAnother = ours !== null && ours.providerId !== null && ours.providerId !== item.id;
      return { ours, difference: compareTransfer(isAnother ? null : ours, item) };
    });
    return {
      suspects: await notExamined(ctx, provider, run, "transfer", suspects),
      seen: { object: "transfer", ids: items.map(({ id }) => id) },
      next,
      costs: unbookedCosts(
        ctx,
        items,
        matched,
        compareTransfer,
        ({ id, isRefund }, providerTransfer) =>
          isRefund
            ? settleRefundTransfer(ctx, { transferId: id, providerTransfer })
            : settlePayout(ctx, { payoutId: id, providerTransfer }),
      ),
    };
  },

  async disputes(ctx, provider, run) {
    const { items, next } = await provider.disputesSince(asked(run, "disputes"));
    const matched = await matchDisputes(ctx, { provider: provider.name, items });
    const suspects = suspectsOf(
      ctx,
      "dispute",
      items.map((item) => ({ ...item, reference: null })),
      (item) => ({
        ours: matched.get(item.id) ?? null,
        difference: compareDispute(matched.get(item.id) ?? null, item),
      }),
    );
    return {
      suspects: await notExamined(ctx, provider, run, "dispute", suspects),
      seen: { object: "dispute", ids: items.map(({ id }) => id) },
      next,
      costs: unbookedCosts(ctx, items, matched, compareDispute, (_ours, { id }) =>
        settleDispute(ctx, { provider: provider.name, providerDisputeId: id }),
      ),
    };
  },

  async authorisations(ctx, provider, run) {
    if (!provider.can.has("recurring_pix")) return EMPTY_STEP_PAGE;
    const { items, next } = await provider.recurringPixSince(asked(run, "authorisations"));
    const matched = await matchMandates(ctx, { provider: provider.name, items });
    const suspects = suspectsOf(ctx, "authorisation", items, (item) => {
      const ours = matched.get(item.id) ?? null;
      const isAnother = ours !== null && ours.providerId !== null && ours.providerId !== item.id;
      return { ours, difference: compareMandate(isAnother ? null : ours, item) };
    });
    return {
      suspects: await notExamined(ctx, provider, run, "authorisation", suspects),
      seen: { object: "authorisation", ids: items.map(({ id }) => id) },
      next,
    };
  },

  our_charges: async (ctx, provider, run) =>
    await unseen(ctx, provider, run, "charge", "charges", unlistedCharges),
  our_refunds: async (ctx, provider, run) =>
    await unseen(ctx, provider, run, "refund", "refunds", unlistedRefunds),
  our_transfers: async (ctx, provider, run) =>
    provider.can.has("transfer_to_pix_key")
      ? await unseen(ctx, provider, run, "transfer", "transfers", unlistedTransfers)
      : EMPTY_STEP_PAGE,
  our_authorisations: async (ctx, provider, run) =>
    provider.can.has("recurring_pix")
      ? await unseen(ctx, provider, run, "authorisation", "authorisations", unlistedMandates)
      : EMPTY_STEP_PAGE,

  async forget(ctx) {
    const over = expiredRuns(ctx, FORGOTTEN_RUNS);
    const seen = sql`SELECT run_id, object, object_id FROM ${reconciliationSightings} WHERE ${reconciliationSightings.runId} IN (${over}) LIMIT ${FORGOTTEN_AT_ONCE}`;
    const { meta } = await ctx.db.run(
      sql`DELETE FROM ${reconciliationSightings} WHERE (run_id, object, object_id) IN (${seen})`,
    );
    return { ...EMPTY_STEP_PAGE, next: meta.changes < FORGOTTEN_AT_ONCE ? null : "more" };
  },
};

const asked = (run: ReconciliationRun, listed: Parameters<typeof listedSince>[1]): ListRequest => ({
  since: listedSince(run, listed),
  cursor: run.cursor,
});

type UnlistedScan = (
  ctx: Context,
  asked: { runId: string; provider: string; after: string; until: string; limit: number },
) => Promise<UnlistedRow[]>;

/**
 * Returns our objects that the provider did not list, to be asked about by id: only that answer
 * says that one is missing there.
 */
async function unseen(
  ctx: Context,
  provider: PaymentProvider,
  run: ReconciliationRun,
  object: RunSighting,
  listed: Parameters<typeof listedSince>[1],
  read: UnlistedScan,
): Promise<StepPage> {
  const after = run.cursor ?? lowestIdAt(listedSince(run, listed));
  const rows = await read(ctx, {
    runId: run.id,
    provider: provider.name,
    after,
    until: lowestIdAt(settledCutoff(run.startedAt)),
    limit: UNSEEN_AT_ONCE,
  });
  const suspects = rows.map(({ id, providerId }): ReconciledObject => ({
    object,
    objectId: providerId,
    ourId: id,
    reference: id,
  }));
  return {
    ...EMPTY_STEP_PAGE,
    suspects: await notExamined(ctx, provider, run, object, suspects),
    next: rows.length < UNSEEN_AT_ONCE ? null : (rows.at(-1)?.id ?? null),
  };
}
