import { broadcastNumbers } from "#app/domain/analytics/broadcasts/queries.server.ts";
import { eventNumbers } from "#app/domain/analytics/events/queries.server.ts";
import { creatorMoney, moneyParts } from "#app/domain/analytics/money/queries.server.ts";
import { audience, visitSources } from "#app/domain/analytics/people/queries.server.ts";
import { postNumbers } from "#app/domain/analytics/posts/queries.server.ts";
import { creatorCalendar } from "#app/domain/analytics/ranges/queries.server.ts";
import { parseRange } from "#app/domain/analytics/ranges/rules.ts";
import {
  apiResponse,
  badQuery,
  methodNotAllowed,
  requiredApiViewer,
} from "#app/http/api/api.server.ts";
import { apiAnalytics } from "#app/http/api/analytics.ts";
import type { ApiAnalytics } from "#app/http/api/analytics.ts";
import { domainContext } from "#app/http/contexts.ts";
import type { Route } from "./+types/analytics.ts";

/** The numbers of the token's own page, as its pages show them. Who has no page has none. */
export function loader({ context, url }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  return apiResponse(ctx, async (): Promise<ApiAnalytics> => {
    const { id: creatorId } = requiredApiViewer(context, "analytics");
    const calendar = await creatorCalendar(ctx, { creatorId });
    const { range, errors } = parseRange(url.searchParams, calendar);
    if (errors.from !== undefined) throw badQuery("from", errors.from);
    if (errors.until !== undefined) throw badQuery("until", errors.until);
    const [sales, parts, people, sources, posts, events, broadcasts] = await Promise.all([
      creatorMoney(ctx, { creatorId, range }),
      moneyParts(ctx, { creatorId, range }),
      audience(ctx, { creatorId, range }),
      visitSources(ctx, { creatorId, range }),
      postNumbers(ctx, { creatorId, range }),
      eventNumbers(ctx, { creatorId, range }),
      broadcastNumbers(ctx, { creatorId, range }),
    ]);
    const { timeZone } = calendar;
    return apiAnalytics({
      range,
      timeZone,
      sales,
      parts,
      people,
      sources,
      posts,
      events,
      broadcasts,
    });
  });
}

export const action = methodNotAllowed("GET");
