import type { Context } from "#app/domain/context.ts";
import type { Charge, MandateCharges, PurchaseHandlerOf, PurchaseSnapshot } from "./schema.ts";

/** A handler of one kind of purchase, typed by its part of the snapshot. */
export type PurchaseHandler<Snapshot = PurchaseSnapshot> = PurchaseHandlerOf<Context, Snapshot>;

/** Builds a handler that receives its own part of a purchase's snapshot. */
export function handlerOfPart<Snapshot>(
  partOf: (snapshot: PurchaseSnapshot) => Snapshot,
  { disputePartlyWonStatements, ...handler }: PurchaseHandler<Snapshot>,
): PurchaseHandler {
  const part = (snapshot: PurchaseSnapshot | null) => snapshot && partOf(snapshot);
  return {
    ...handler,
    settlement: (ctx, charge, answer, snapshot) =>
      handler.settlement(ctx, charge, answer, part(snapshot)),
    endedStatements: (ctx, charge, because, snapshot) =>
      handler.endedStatements(ctx, charge, because, part(snapshot)),
    ...(disputePartlyWonStatements && {
      disputePartlyWonStatements: (
        ctx: Context,
        charge: Charge,
        snapshot: PurchaseSnapshot | null,
      ) => disputePartlyWonStatements(ctx, charge, part(snapshot)),
    }),
  };
}

export const handlerOf = (
  ctx: Pick<Context, "purchaseHandlers">,
  charge: Pick<Charge, "purchaseKind">,
): PurchaseHandler => ctx.purchaseHandlers[charge.purchaseKind];

/** Returns the requests of a Pix Automático charge; null for every other charge. */
export const mandateChargesOf = (
  ctx: Pick<Context, "purchaseHandlers">,
  charge: Charge,
): MandateCharges<Context> | null =>
  charge.recurringPixId === null ? null : (handlerOf(ctx, charge).automatic ?? null);
