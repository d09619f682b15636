import type { RouterContextProvider } from "react-router";
import { creatorCalendar } from "#app/domain/analytics/ranges/queries.server.ts";
import { parseRange } from "#app/domain/analytics/ranges/rules.ts";
import { requireActor } from "#app/http/acting.server.ts";
import { domainContext } from "#app/http/contexts.ts";
import type { Permission } from "#app/domain/teams/rules.ts";

type Asked = { context: Readonly<RouterContextProvider>; request: Request };

/**
 * Who asks for the numbers of which page, and for which days. Null for a member without a page.
 * `money` says whether they may see amounts, and `mayEdit` whether they may make links.
 */
export async function loadNumbers(
  { context, request }: Asked,
  permission: Permission = "space:see",
) {
  const actor = requireActor({ context }, permission);
  if (!actor.space.isCreator) return null;
  const ctx = context.get(domainContext);
  const creatorId = actor.space.personId;
  const calendar = await creatorCalendar(ctx, { creatorId });
  return {
    ctx,
    creatorId,
    username: actor.space.username,
    mayEdit: actor.may("posts:publish"),
    of: actor.isOwn ? null : actor.space.name,
    money: actor.may("money:see"),
    timeZone: calendar.timeZone,
    parsed: parseRange(new URL(request.url).searchParams, calendar),
  };
}
