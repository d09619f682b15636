import { BarChart } from "#app/components/analytics/bar-chart.tsx";
import { ChartSection } from "#app/components/analytics/chart-section.tsx";
import { Figure, Figures } from "#app/components/analytics/figures.tsx";
import { countOr, countText, daysText, durationText } from "#app/components/analytics/format.ts";
import { RetentionSection } from "#app/components/analytics/retention-section.tsx";
import { RangePicker, rangeQuery, RangeText } from "#app/components/analytics/range-picker.tsx";
import { salesPath } from "#app/components/analytics/sales-path.ts";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { Td } from "#app/components/ui/table.tsx";
import { counted } from "#app/domain/text.ts";
import { postDays, postNumbers, postReach } from "#app/domain/analytics/posts/queries.server.ts";
import { retentionCurve } from "#app/domain/analytics/posts/rules.ts";
import { bucketsOf, sumsByBucket } from "#app/domain/analytics/ranges/rules.ts";
import { formatMoney } from "#app/domain/money.ts";
import { formatDay } from "#app/domain/time.ts";
import { foundOr404 } from "#app/http/refusal.ts";
import { loadNumbers } from "./load-numbers.server.ts";
import type { Route } from "./+types/post.ts";

export const meta: Route.MetaFunction = ({ loaderData }) => [
  { title: `${loaderData?.post.title ?? "Publicação"} · Números · Coreto` },
];

const NOT_FOUND = "Não encontramos esta publicação nos seus números.";

export async function loader({ context, request, params: { postId } }: Route.LoaderArgs) {
  const asked = foundOr404(await loadNumbers({ context, request }), NOT_FOUND);
  const { ctx, creatorId, parsed, money } = asked;
  const { range } = parsed;
  const [[found], steps, days] = await Promise.all([
    postNumbers(ctx, { creatorId, range, postId, limit: 1 }),
    postReach(ctx, { creatorId, postId, range }),
    postDays(ctx, { creatorId, postId, range }),
  ]);
  const post = foundOr404(found ?? null, NOT_FOUND);
  const buckets = bucketsOf(range);
  const views = sumsByBucket(buckets, days, (day) => day.views);
  const readers = sumsByBucket(buckets, days, (day) => day.readers);
  return {
    parsed,
    mayMoney: money,
    post: money ? post : { ...post, sales: 0, salesCents: 0 },
    retention: retentionCurve(steps),
    buckets: buckets.map((bucket, at) => ({
      ...bucket,
      label: daysText(bucket),
      views: views[at] ?? 0,
      readers: readers[at] ?? 0,
    })),
  };
}

type Shown = Route.ComponentProps["loaderData"];

/** The numbers of one post. */
export default function AnalyticsPost({ loaderData: shown }: Route.ComponentProps) {
  const { post, parsed } = shown;
  const query = rangeQuery(parsed.range);
  return (
    <div className="max-w-[1036px]">
      <PageHeader title={post.title} lead={`Publicada em ${formatDay(post.publishedAt)}.`}>
        <ButtonLink to={`/analytics/posts${query}`} variant="outline" size="sm">
          Todas as publicações
        </ButtonLink>
        <ButtonLink to={`/post/${post.id}`} variant="outline" size="sm">
          Abrir a publicação
        </ButtonLink>
      </PageHeader>
      <div className="flex flex-col gap-6">
        <RangePicker {...parsed} />
        <RangeText range={parsed.range} />
        <PostFigures {...shown} />
        <PostViews {...shown} query={query} />
        {post.plays > 0 || shown.retention.length > 0 ? (
          <RetentionSection postId={post.id} retention={shown.retention} query={query} />
        ) : null}
      </div>
    </div>
  );
}

function PostFigures({ post, mayMoney, parsed }: Shown) {
  return (
    <Figures>
      <Figure name="Visualizações" value={countText(post.views)}>
        Vezes que foi aberta nestes dias, por {counted(post.readers, "leitor", "leitores")} de cada
        dia.
      </Figure>
      <Figure
        name="Leitura média"
        value={post.readSeconds === null ? "–" : durationText(post.readSeconds)}
      >
        O tempo à vista de quem estava ativo, dividido pelas visitas em que foi medido.
      </Figure>
      <Figure
        name="Curtidas e comentários"
        value={`${countText(post.likesCount)} e ${countText(post.commentsCount)}`}
      >
        De sempre, não só destes dias.
      </Figure>
      <Figure name="Assinaturas em 7 dias" value={countText(post.startsWithinWeek)}>
        Assinaturas pagas da sua página que começaram até 7 dias depois dela.
      </Figure>
      {mayMoney ? (
        <Figure
          name="Vendido"
          value={formatMoney(post.salesCents)}
          to={salesPath(parsed.range, { item: post.id })}
        >
          A soma de {counted(post.sales, "venda avulsa", "vendas avulsas")} destes dias, antes de
          reembolsos.
        </Figure>
      ) : null}
      {post.mailsSent === null ? null : (
        <Figure name="E-mails" value={countText(post.mailsSent)}>
          Enviados nestes dias. Abertos: {countOr(post.mailsOpened)}; clicados:{" "}
          {countOr(post.mailsClicked)}.
        </Figure>
      )}
    </Figures>
  );
}

function PostViews({ post, buckets, query }: Shown & { query: string }) {
  return (
    <ChartSection
      id="por-dia"
      title="Visualizações por dia"
      csv={`/analytics/files/publicacao.csv${query}&post=${post.id}`}
      folds
      chart={
        <BarChart
          title="Visualizações"
          description={`${counted(post.views, "visualização", "visualizações")} nestes dias. Os valores estão na tabela abaixo.`}
          format={countText}
          bars={buckets.map(({ label, views, from, until }) => ({
            label,
            value: views,
            days: { from, until },
          }))}
        />
      }
      columns={[
        { title: "Dias" },
        { title: "Visualizações", numeric: true },
        { title: "Leitores", numeric: true },
      ]}
    >
      <tbody>
        {buckets.toReversed().map(({ from, label, views, readers }) => (
          <tr key={from}>
            <Td>{label}</Td>
            <Td numeric>{countText(views)}</Td>
            <Td numeric>{countText(readers)}</Td>
          </tr>
        ))}
      </tbody>
    </ChartSection>
  );
}
