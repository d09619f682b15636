import { AnalyticsTabs } from "#app/components/analytics/analytics-tabs.tsx";
import { daysText } from "#app/components/analytics/format.ts";
import {
  MoneyFigures,
  PeopleFigures,
  Revenue,
  Visits,
} from "#app/components/analytics/overview.tsx";
import { MoneyParts } from "#app/components/analytics/money-parts.tsx";
import { NoSpaceYet } from "#app/components/analytics/no-space-yet.tsx";
import { RangePicker, rangeQuery, RangeText } from "#app/components/analytics/range-picker.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { moneyBy, moneyWithin, payoutForecast } from "#app/domain/analytics/money/rules.ts";
import { creatorMoney, moneyParts } from "#app/domain/analytics/money/queries.server.ts";
import { audienceWithin } from "#app/domain/analytics/people/rules.ts";
import { audience } from "#app/domain/analytics/people/queries.server.ts";
import { bucketsOf, sumsByBucket } from "#app/domain/analytics/ranges/rules.ts";
import { creatorBalances } from "#app/domain/payouts/queries.server.ts";
import { DAY_MS } from "#app/domain/time.ts";
import { loadNumbers } from "./load-numbers.server.ts";
import type { Route } from "./+types/analytics.ts";

export const meta: Route.MetaFunction = () => [{ title: "Números · Coreto" }];

const FORECAST_DAYS = 7;

export async function loader({ context, request }: Route.LoaderArgs) {
  const asked = await loadNumbers({ context, request });
  if (asked === null) return null;
  const { ctx, creatorId, parsed, money } = asked;
  const { range } = parsed;
  const buckets = bucketsOf(range);
  const [sales, parts, people, forecast] = await Promise.all([
    money ? creatorMoney(ctx, { creatorId, range }) : [],
    money ? moneyParts(ctx, { creatorId, range }) : null,
    audience(ctx, { creatorId, range }),
    money ? nextPayout(ctx, creatorId) : null,
  ]);
  const netByBucket = sumsByBucket(buckets, sales, ({ netCents }) => netCents);
  const visitorsByBucket = sumsByBucket(buckets, people.days, ({ visitors }) => visitors);
  const viewsByBucket = sumsByBucket(buckets, people.days, ({ views }) => views);
  const earlier = range.before === null ? null : bucketsOf(range.before);
  const netBefore = earlier && sumsByBucket(earlier, sales, ({ netCents }) => netCents);
  const seenBefore = earlier && sumsByBucket(earlier, people.days, ({ visitors }) => visitors);
  return {
    of: asked.of,
    parsed,
    money: parts
      ? {
          ...parts,
          now: moneyWithin(sales, range),
          before: range.before && moneyWithin(sales, range.before),
          byMethod: moneyBy(sales, range, "method"),
          byKind: moneyBy(sales, range, "kind"),
          forecast,
        }
      : null,
    followersCount: people.followersCount,
    subscribersCount: people.subscribersCount,
    audience: {
      now: audienceWithin(people.days, range),
      before: range.before && audienceWithin(people.days, range.before),
    },
    buckets: buckets.map((bucket, at) => ({
      ...bucket,
      label: daysText(bucket),
      netCents: netByBucket[at] ?? 0,
      netBeforeCents: netBefore?.[at],
      visitors: visitorsByBucket[at] ?? 0,
      views: viewsByBucket[at] ?? 0,
      visitorsBefore: seenBefore?.[at],
    })),
  };
}

type Context = NonNullable<Awaited<ReturnType<typeof loadNumbers>>>["ctx"];

/** What could be paid out now, and in a week. */
async function nextPayout(ctx: Context, creatorId: string) {
  const balances = await creatorBalances(ctx, { creatorId });
  const at = ctx.now() + FORECAST_DAYS * DAY_MS;
  return {
    nowCents: payoutForecast(balances, [], at),
    thenCents: payoutForecast(balances, balances.releases, at),
    at,
  };
}

export default function Analytics({ loaderData }: Route.ComponentProps) {
  if (loaderData === null) return <NoSpaceYet />;
  const { parsed, money, of } = loaderData;
  const shown = { ...loaderData, range: parsed.range };
  return (
    <div className="max-w-[1036px]">
      <PageHeader
        title="Números"
        lead={
          of
            ? `A página de ${of} em números.`
            : "Sua página em números. Cada valor abre os lançamentos por trás dele."
        }
      />
      <div className="flex flex-col gap-6">
        <AnalyticsTabs query={rangeQuery(parsed.range)} money={money !== null} />
        <RangePicker {...parsed} />
        <RangeText range={parsed.range} />
        {money ? <MoneyFigures money={money} range={parsed.range} /> : null}
        <PeopleFigures shown={shown} />
        {money ? <Revenue shown={shown} isOwn={of === null} /> : null}
        {money ? <MoneyParts money={money} range={parsed.range} /> : null}
        <Visits shown={shown} />
        <p className="text-small text-muted">
          Dinheiro, assinaturas e seguidores são contados em dias de Brasília, como no extrato;
          visitas, no fuso da sua conta. As visitas de hoje chegam até uma hora depois, e em horas
          de muito movimento são uma estimativa.
        </p>
      </div>
    </div>
  );
}
