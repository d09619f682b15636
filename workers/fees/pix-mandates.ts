import {
  toInboxEventSnapshot,
  chargeEventStatement,
} from "#app/domain/payments/webhook-events/queries/event-subjects.server.ts";
import type { ProviderPixMandate } from "#app/domain/payments/schema.ts";
import { settleMandate } from "#app/domain/subscriptions/pix-mandates/commands/settle-mandate.server.ts";
import {
  toMandateSnapshot,
  mandateOfEventStatements,
} from "#app/domain/subscriptions/pix-mandates/queries/mandate-snapshot.server.ts";
import type { MandateSnapshot } from "#app/domain/subscriptions/pix-mandates/queries/mandate-snapshot.server.ts";
import { buildEventReads } from "./event-steps.ts";
import type { EventSteps } from "./event-steps.ts";

export const mandateEvents: EventSteps<MandateSnapshot, ProviderPixMandate> = {
  async load(ctx, ref, named) {
    const rows = await READS(ctx, ref, named);
    const loaded = toInboxEventSnapshot(rows.event[0]);
    return loaded && { event: loaded.event, snapshot: toMandateSnapshot(ctx, rows.mandate) };
  },
  ask: async (provider, objectId) => await provider.recurringPixById(objectId),
  namedBy: (_ctx, _event, { reference }) => ({ reference, providerChargeId: null }),
  async settle(ctx, { snapshot, answer: providerMandate, extraWrites }) {
    if (!snapshot) return { reason: "unknown_recurring_pix" };
    const mandateId = snapshot.mandate.id;
    await settleMandate(ctx, { mandateId, providerMandate, read: snapshot, extraWrites });
    return null;
  },
};

const READS = buildEventReads(({ db, adultSpaces, keys }) => ({
  event: [chargeEventStatement({ db }, keys)],
  mandate: mandateOfEventStatements({ db, adultSpaces }, keys),
}));
