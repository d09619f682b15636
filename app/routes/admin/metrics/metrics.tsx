import { Form } from "react-router";
import { BarChart } from "#app/components/analytics/bar-chart.tsx";
import { ChartSection } from "#app/components/analytics/chart-section.tsx";
import { daysText } from "#app/components/analytics/format.ts";
import { MetricFigures, MetricTables } from "#app/components/analytics/platform-metrics.tsx";
import { RangePicker, rangeQuery, RangeText } from "#app/components/analytics/range-picker.tsx";
import { moneyScale } from "#app/components/analytics/scale.ts";
import { Button } from "#app/components/ui/button.tsx";
import { TextField } from "#app/components/ui/fields/field.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { MoneyTd, Td } from "#app/components/ui/table.tsx";
import { useFirstError } from "#app/components/ui/fields/use-first-error.ts";
import { creatorFunnel, platformDays } from "#app/domain/analytics/platform/queries.server.ts";
import { platformSums } from "#app/domain/analytics/platform/rules.ts";
import { bucketsOf, isWithin, sumsByBucket } from "#app/domain/analytics/ranges/rules.ts";
import { requestRebuild } from "#app/domain/analytics/rollups/commands.server.ts";
import { rebuildSchema } from "#app/domain/analytics/rollups/schema.ts";
import { formatMoney } from "#app/domain/money.ts";
import { handleForm } from "#app/http/form.ts";
import { domainContext } from "#app/http/contexts.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import { metricsRange } from "./metrics-range.server.ts";
import type { Route } from "./+types/metrics.ts";

export const meta: Route.MetaFunction = () => [{ title: "Números da plataforma · Coreto" }];

export async function loader({ context, request }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const parsed = metricsRange(ctx, request);
  const { range } = parsed;
  const [days, funnel] = await Promise.all([
    platformDays(ctx, { from: range.before?.from ?? range.from, until: range.until }),
    creatorFunnel(ctx),
  ]);
  const buckets = bucketsOf(range);
  const [gross, fee] = (["grossCents", "feeCents"] as const).map((name) =>
    sumsByBucket(buckets, days, (day) => day[name]),
  );
  return {
    parsed,
    funnel,
    now: platformSums(days.filter(({ day }) => isWithin(range, day))),
    before: range.before && platformSums(days.filter(({ day }) => isWithin(range.before, day))),
    buckets: buckets.map((bucket, at) => ({
      from: bucket.from,
      label: daysText(bucket),
      grossCents: gross?.[at] ?? 0,
      feeCents: fee?.[at] ?? 0,
    })),
  };
}

/** Has the cron sum the days from one on again. */
export async function action({ context, request }: Route.ActionArgs) {
  return await handleForm(request, rebuildSchema, async ({ from }) => {
    await requestRebuild(context.get(domainContext), { from });
    return await redirectWithToast(request, "/admin/metrics", {
      kind: "success",
      message: "Os dias serão somados de novo nas próximas horas.",
    });
  });
}

export default function Metrics({ loaderData, actionData }: Route.ComponentProps) {
  const { parsed, now, before, funnel, buckets } = loaderData;
  return (
    <div>
      <PageHeader
        title="Números da plataforma"
        lead="De todas as páginas juntas, em dias de Brasília."
      />
      <div className="flex flex-col gap-6">
        <RangePicker {...parsed} />
        <RangeText range={parsed.range} />
        <MetricFigures now={now} before={before} />
        <ChartSection
          id="volume"
          title="Volume bruto"
          csv={`/admin/metrics/volume.csv${rangeQuery(parsed.range)}`}
          folds
          chart={
            <BarChart
              title="Volume bruto"
              description={`${formatMoney(now.grossCents)} nestes dias. Os valores estão na tabela abaixo.`}
              format={formatMoney}
              scale={moneyScale}
              bars={buckets.map(({ label, grossCents }) => ({ label, value: grossCents }))}
            />
          }
          columns={[
            { title: "Dias" },
            { title: "Volume bruto", numeric: true },
            { title: "Nossa parte", numeric: true },
          ]}
        >
          <tbody>
            {buckets.toReversed().map(({ from, label, grossCents, feeCents }) => (
              <tr key={from}>
                <Td>{label}</Td>
                <MoneyTd cents={grossCents} />
                <MoneyTd cents={feeCents} />
              </tr>
            ))}
          </tbody>
        </ChartSection>
        <MetricTables now={now} funnel={funnel} />
        <Rebuild problem={actionData} />
      </div>
    </div>
  );
}

function Rebuild({ problem }: { problem: Route.ComponentProps["actionData"] }) {
  useFirstError(problem);
  return (
    <details open={problem !== undefined} className="print:hidden">
      <summary className="inline-flex min-h-11 cursor-pointer items-center text-small font-semibold">
        Somar dias de novo
      </summary>
      <Form method="post" className="flex flex-wrap items-start gap-3 pt-2">
        <TextField
          label="Desde o dia"
          name="from"
          type="date"
          defaultValue={problem?.values.from}
          error={problem?.errors.from}
          hint="Some de novo só se algo foi corrigido. Visitas de mais de 90 dias ficam como estão."
        />
        <Button type="submit" variant="outline" className="sm:mt-6">
          Somar de novo
        </Button>
      </Form>
    </details>
  );
}
