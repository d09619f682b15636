import { redirect } from "react-router";
import { orderOf } from "#app/domain/events/tickets/queries/orders.server.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import { foundOr404 } from "#app/http/refusal.ts";
import { EVENT_MISSING } from "#app/routes/events/event-page.server.ts";
import type { Route } from "./+types/order.ts";

/** Where a purchase of tickets leads: to the tickets once they are paid, to the event before. */
export async function loader({ context, params }: Route.LoaderArgs) {
  const order = foundOr404(
    await orderOf(context.get(domainContext), {
      orderId: params.orderId,
      personId: context.get(memberContext).id,
    }),
    EVENT_MISSING,
  );
  throw redirect(`/events/${order.eventId}${order.status === "paid" ? "/ticket" : ""}`);
}
