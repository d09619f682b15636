import { AnalyticsTabs } from "#app/components/analytics/analytics-tabs.tsx";
import { Broadcasts, Events } from "#app/components/analytics/event-sections.tsx";
import { NoSpaceYet } from "#app/components/analytics/no-space-yet.tsx";
import { RangePicker, rangeQuery, RangeText } from "#app/components/analytics/range-picker.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { broadcastNumbers } from "#app/domain/analytics/broadcasts/queries.server.ts";
import { eventNumbers } from "#app/domain/analytics/events/queries.server.ts";
import { loadNumbers } from "./load-numbers.server.ts";
import type { Route } from "./+types/events.ts";

export const meta: Route.MetaFunction = () => [{ title: "Eventos e mensagens · Coreto" }];

export async function loader({ context, request }: Route.LoaderArgs) {
  const asked = await loadNumbers({ context, request });
  if (asked === null) return null;
  const { ctx, creatorId, parsed, money } = asked;
  const [events, broadcasts] = await Promise.all([
    eventNumbers(ctx, { creatorId, range: parsed.range }),
    broadcastNumbers(ctx, { creatorId, range: parsed.range }),
  ]);
  return {
    parsed,
    mayMoney: money,
    events: money
      ? events
      : events.map((event) => ({ ...event, sales: 0, grossCents: 0, netCents: 0 })),
    broadcasts,
  };
}

export default function AnalyticsEvents({ loaderData: shown }: Route.ComponentProps) {
  if (shown === null) return <NoSpaceYet />;
  const { parsed, mayMoney } = shown;
  const query = rangeQuery(parsed.range);
  return (
    <div className="max-w-[1036px]">
      <PageHeader
        title="Eventos e mensagens"
        lead="Quem foi aos seus eventos, e o que as suas mensagens para muitos trouxeram."
      />
      <div className="flex flex-col gap-6">
        <AnalyticsTabs query={query} money={mayMoney} />
        <RangePicker {...parsed} />
        <RangeText range={parsed.range} />
        <Events events={shown.events} mayMoney={mayMoney} query={query} />
        <Broadcasts broadcasts={shown.broadcasts} query={query} />
      </div>
    </div>
  );
}
