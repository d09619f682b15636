import type { RouterContextProvider } from "react-router";
import { recurringRevenue } from "#app/domain/analytics/recurring/queries.server.ts";
import { requireActor } from "#app/http/acting.server.ts";
import { domainContext } from "#app/http/contexts.ts";

const MONTHS_SHOWN = 12;

/**
 * The recurring revenue of the page acted for, for who may see its money. Where its subscriptions
 * and their changes are listed, for who may see them.
 */
export async function loadRecurring(route: { context: Readonly<RouterContextProvider> }) {
  const { space, isOwn, may } = requireActor(route, "money:see");
  const revenue = await recurringRevenue(route.context.get(domainContext), {
    creatorId: space.personId,
    months: MONTHS_SHOWN,
  });
  return {
    ...revenue,
    of: isOwn ? null : space.name,
    subscribersPath: may("plans:edit") ? "/me/subscribers" : null,
    maySeeMoves: may("plans:edit"),
  };
}
