import type { Context } from "#app/domain/context.ts";
import { ticketHandler } from "#app/domain/events/tickets/commands/ticket-handler.server.ts";
import type { PurchaseHandlersOf } from "#app/domain/payments/purchase-handlers/schema.ts";
import { ownPurchaseHandlers } from "#app/domain/purchases/settlement/commands.server.ts";

/** The handler of each kind of purchase. Composed into Context. */
export const purchaseHandlers: PurchaseHandlersOf<Context> = {
  ...ownPurchaseHandlers,
  event: ticketHandler,
};
