import { AnalyticsTabs } from "#app/components/analytics/analytics-tabs.tsx";
import { daysText } from "#app/components/analytics/format.ts";
import { Overall } from "#app/components/analytics/overall-sections.tsx";
import { Counts, Funnel, Movement, Sources } from "#app/components/analytics/people-sections.tsx";
import { NoSpaceYet } from "#app/components/analytics/no-space-yet.tsx";
import { RangePicker, rangeQuery, RangeText } from "#app/components/analytics/range-picker.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import {
  audience,
  peopleOverall,
  visitSources,
} from "#app/domain/analytics/people/queries.server.ts";
import { audienceWithin, funnelOf } from "#app/domain/analytics/people/rules.ts";
import { bucketsOf, sumsByBucket } from "#app/domain/analytics/ranges/rules.ts";
import { loadNumbers } from "./load-numbers.server.ts";
import type { Route } from "./+types/people.ts";

export const meta: Route.MetaFunction = () => [{ title: "Pessoas · Números · Coreto" }];

export async function loader({ context, request }: Route.LoaderArgs) {
  const asked = await loadNumbers({ context, request });
  if (asked === null) return null;
  const { ctx, creatorId, parsed, money } = asked;
  const { range } = parsed;
  const [people, sources, overall] = await Promise.all([
    audience(ctx, { creatorId, range }),
    visitSources(ctx, { creatorId, range }),
    peopleOverall(ctx, { creatorId }),
  ]);
  const buckets = bucketsOf(range);
  const [follows, starts, ends] = (["follows", "starts", "ends"] as const).map((name) =>
    sumsByBucket(buckets, people.days, (day) => day[name]),
  );
  const now = audienceWithin(people.days, range);
  return {
    of: asked.of,
    parsed,
    mayMoney: money,
    followersCount: people.followersCount,
    subscribersCount: people.subscribersCount,
    now,
    before: range.before && audienceWithin(people.days, range.before),
    funnel: funnelOf(now),
    buckets: buckets.map((bucket, at) => ({
      ...bucket,
      label: daysText(bucket),
      follows: follows?.[at] ?? 0,
      starts: starts?.[at] ?? 0,
      ends: ends?.[at] ?? 0,
    })),
    sources,
    cohorts: overall.cohorts,
    reasons: overall.reasons,
    supporters: money ? overall.supporters : [],
  };
}

export default function AnalyticsPeople({ loaderData }: Route.ComponentProps) {
  if (loaderData === null) return <NoSpaceYet />;
  const { parsed } = loaderData;
  const shown = { ...loaderData, range: parsed.range };
  const query = rangeQuery(parsed.range);
  return (
    <div className="max-w-[1036px]">
      <PageHeader
        title="Pessoas"
        lead="Quem chega, quem fica e quem sai. Ninguém é seguido de um dia para o outro."
      />
      <div className="flex flex-col gap-6">
        <AnalyticsTabs query={query} money={shown.mayMoney} />
        <RangePicker {...parsed} />
        <RangeText range={parsed.range} />
        <Counts shown={shown} />
        <Movement shown={shown} query={query} />
        <Funnel shown={shown} query={query} />
        <Sources shown={shown} query={query} />
        <Overall shown={shown} query={query} />
      </div>
    </div>
  );
}
