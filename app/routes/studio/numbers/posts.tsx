import { Link } from "react-router";
import { AnalyticsTabs } from "#app/components/analytics/analytics-tabs.tsx";
import { ChartSection } from "#app/components/analytics/chart-section.tsx";
import { countOr, countText, durationText } from "#app/components/analytics/format.ts";
import { NewsletterFigures } from "#app/components/analytics/newsletter-figures.tsx";
import { NoSpaceYet } from "#app/components/analytics/no-space-yet.tsx";
import { RangePicker, rangeQuery, RangeText } from "#app/components/analytics/range-picker.tsx";
import { salesPath } from "#app/components/analytics/sales-path.ts";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { EmptyState } from "#app/components/ui/empty.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { MoneyTd, RowLink, Td } from "#app/components/ui/table.tsx";
import { postNumbers } from "#app/domain/analytics/posts/queries.server.ts";
import { postOrders, POSTS_SHOWN } from "#app/domain/analytics/posts/schema.ts";
import type { PostOrder } from "#app/domain/analytics/posts/schema.ts";
import { latestNewsletterTotals } from "#app/domain/newsletters/queries/figures.server.ts";
import { formatDay } from "#app/domain/time.ts";
import { loadNumbers } from "./load-numbers.server.ts";
import type { Route } from "./+types/posts.ts";

export const meta: Route.MetaFunction = () => [{ title: "Publicações · Números · Coreto" }];

export async function loader({ context, request }: Route.LoaderArgs) {
  const asked = await loadNumbers({ context, request });
  if (asked === null) return null;
  const { ctx, creatorId, parsed, money } = asked;
  const typed = new URL(request.url).searchParams.get("order");
  const order = postOrders.find((one) => one === typed) ?? "views";
  const [posts, newsletters] = await Promise.all([
    postNumbers(ctx, { creatorId, range: parsed.range, order }),
    latestNewsletterTotals(ctx, { creatorId }),
  ]);
  return { parsed, mayMoney: money, order, posts, newsletters };
}

const ORDER_LABELS: Record<PostOrder, string> = {
  views: "Mais vistas",
  readers: "Mais lidas",
  likes: "Mais curtidas",
  sales: "Mais vendidas",
  newest: "Mais novas",
};

type Shown = NonNullable<Route.ComponentProps["loaderData"]>;

export default function AnalyticsPosts({ loaderData: shown }: Route.ComponentProps) {
  if (shown === null) return <NoSpaceYet />;
  const { parsed, posts } = shown;
  const query = rangeQuery(parsed.range);
  return (
    <div className="max-w-[1036px]">
      <PageHeader title="Publicações" lead="O que foi visto, lido e comprado, por publicação." />
      <div className="flex flex-col gap-6">
        <AnalyticsTabs query={query} money={shown.mayMoney} />
        <RangePicker {...parsed} />
        <RangeText range={parsed.range} />
        {posts.length > 0 ? (
          <Posts shown={shown} query={query} />
        ) : (
          <EmptyState
            title="Nada publicado nem visto nestes dias"
            action={<ButtonLink to="/post/create">Publicar</ButtonLink>}
          >
            Publique, ou escolha mais dias. Cada publicação aparece aqui com o que ela trouxe.
          </EmptyState>
        )}
        <NewsletterFigures newsletters={shown.newsletters} />
      </div>
    </div>
  );
}

function Posts({ shown, query }: { shown: Shown; query: string }) {
  const { posts, order, mayMoney } = shown;
  return (
    <>
      <nav aria-label="Ordem" className="flex flex-wrap gap-2 print:hidden">
        {postOrders
          .filter((one) => mayMoney || one !== "sales")
          .map((one) => (
            <Link
              key={one}
              to={`${query}&order=${one}`}
              preventScrollReset
              aria-current={one === order ? "true" : undefined}
              className="inline-flex min-h-11 items-center rounded-full border border-edge px-4 text-small aria-[current]:border-leaf aria-[current]:bg-signal-soft aria-[current]:font-semibold"
            >
              {ORDER_LABELS[one]}
            </Link>
          ))}
      </nav>
      <ChartSection
        id="publicacoes"
        title="Por publicação"
        csv={`/analytics/files/publicacoes.csv${query}&order=${order}`}
        note={`Visualizações, leitores, reproduções e vendas são destes dias; curtidas e comentários, de sempre. Leitores são as pessoas diferentes de cada dia, somadas. Leitura média é o tempo com a publicação à vista de quem estava ativo, somado e dividido pelas visitas em que foi medido. Assinaturas são as que começaram até 7 dias depois da publicação. E-mails, abertos e clicados são destes dias; com menos de 10 envios nestes dias não mostramos quem abriu. Vendido é a soma das vendas avulsas, antes de reembolsos.${posts.length === POSTS_SHOWN ? ` Mostramos as ${POSTS_SHOWN} primeiras.` : ""}`}
        columns={[
          { title: "Publicação" },
          { title: "Visualizações", numeric: true },
          { title: "Leitores", numeric: true },
          { title: "Reproduções", numeric: true },
          { title: "Leitura média", numeric: true },
          { title: "Curtidas", numeric: true },
          { title: "Comentários", numeric: true },
          { title: "Assinaturas em 7 dias", numeric: true },
          { title: "E-mails", numeric: true },
          { title: "Abertos", numeric: true },
          { title: "Clicados", numeric: true },
          ...(mayMoney ? [{ title: "Vendido", numeric: true }] : []),
        ]}
      >
        <tbody>
          {posts.map((post) => (
            <tr key={post.id}>
              <Td className="min-w-44 wrap-anywhere">
                <RowLink to={`/analytics/posts/${post.id}${query}`}>{post.title}</RowLink>
                <span className="block text-caption text-muted">{formatDay(post.publishedAt)}</span>
              </Td>
              <Td numeric>{countText(post.views)}</Td>
              <Td numeric>{countText(post.readers)}</Td>
              <Td numeric>{countText(post.plays)}</Td>
              <Td numeric>{post.readSeconds === null ? "–" : durationText(post.readSeconds)}</Td>
              <Td numeric>{countText(post.likesCount)}</Td>
              <Td numeric>{countText(post.commentsCount)}</Td>
              <Td numeric>{countText(post.startsWithinWeek)}</Td>
              <Td numeric>{countOr(post.mailsSent)}</Td>
              <Td numeric>{countOr(post.mailsOpened)}</Td>
              <Td numeric>{countOr(post.mailsClicked)}</Td>
              {mayMoney ? (
                <MoneyTd
                  to={salesPath(shown.parsed.range, { item: post.id })}
                  cents={post.salesCents}
                />
              ) : null}
            </tr>
          ))}
        </tbody>
      </ChartSection>
    </>
  );
}
