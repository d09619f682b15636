import { counted, nounFor } from "#app/domain/text.ts";
import { Link } from "react-router";
import { NewsletterFigures } from "#app/components/analytics/newsletter-figures.tsx";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { EmptyState } from "#app/components/ui/empty.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { MoneyTd, Table, Td } from "#app/components/ui/table.tsx";
import { creatorNumbers } from "#app/domain/analytics/queries.server.ts";
import { monthBounds, monthOf } from "#app/domain/ledger/months/rules/months.ts";
import type { Month } from "#app/domain/ledger/months/rules/months.ts";
import { isoDay, TIME_ZONE } from "#app/domain/time.ts";
import { requireActor } from "#app/http/acting.server.ts";
import { domainContext } from "#app/http/contexts.ts";
import type { Route } from "./+types/analytics.ts";

export const meta: Route.MetaFunction = () => [{ title: "Números · Coreto" }];

const MONTHS_SHOWN = 6;
const MONTH = new Intl.DateTimeFormat("pt-BR", {
  timeZone: TIME_ZONE,
  month: "long",
  year: "numeric",
});
const SHORT_MONTH = new Intl.DateTimeFormat("pt-BR", { timeZone: TIME_ZONE, month: "short" });
const COUNT = new Intl.NumberFormat("pt-BR");

/** Returns the path of the statement that adds up to the figures of a month. */
function salesOf(month: Month): string {
  const { from, until } = monthBounds(month);
  return `/settings/transactions?${new URLSearchParams({ face: "received", from: isoDay(from), until: isoDay(until - 1) }).toString()}`;
}

export async function loader({ context }: Route.LoaderArgs) {
  const actor = requireActor({ context }, "space:see");
  if (!actor.space.isCreator) return null;
  const numbers = await creatorNumbers(context.get(domainContext), {
    creatorId: actor.space.personId,
    months: MONTHS_SHOWN,
  });
  const revenue = numbers.revenue.map((month) => ({
    ...month,
    name: MONTH.format(month.monthStartsAt),
    salesPath: salesOf(monthOf(month.monthStartsAt)),
    shortName: SHORT_MONTH.format(month.monthStartsAt).replace(".", ""),
  }));
  return {
    ...numbers,
    of: actor.isOwn ? null : actor.space.name,
    revenue: actor.may("money:see") ? revenue : null,
  };
}

type Numbers = NonNullable<Route.ComponentProps["loaderData"]>;

export default function Analytics({ loaderData: numbers }: Route.ComponentProps) {
  return (
    <div className="max-w-[1036px]">
      <PageHeader
        title="Números"
        lead={
          numbers?.of
            ? `A página de ${numbers.of} em números.`
            : "Sua página em números. Cada valor abre os lançamentos por trás dele."
        }
      />
      {numbers ? (
        <div className="flex flex-col gap-6">
          <Counts numbers={numbers} />
          {numbers.revenue ? (
            <Revenue months={numbers.revenue} isOwn={numbers.of === null} />
          ) : null}
          <TopPosts posts={numbers.topPosts} />
          <NewsletterFigures newsletters={numbers.newsletters} />
        </div>
      ) : (
        <EmptyState
          title="Os números são de quem publica"
          action={<ButtonLink to="/space/create">Abrir minha página</ButtonLink>}
        >
          Abra a sua página e veja aqui quem chega, o que mais gostam e quanto você recebe.
        </EmptyState>
      )}
    </div>
  );
}

function Counts({ numbers }: { numbers: Numbers }) {
  const counts = [
    { one: "seguidor", many: "seguidores", count: numbers.followersCount },
    { one: "assinante", many: "assinantes", count: numbers.subscribersCount },
    { one: "publicação", many: "publicações", count: numbers.postsCount },
    { one: "curtida", many: "curtidas", count: numbers.likesCount },
    { one: "comentário", many: "comentários", count: numbers.commentsCount },
  ];
  return (
    <dl className="grid grid-cols-2 gap-3 sm:grid-cols-3 lg:grid-cols-5">
      {counts.map(({ one, many, count }) => (
        <Card key={many} className="flex flex-col-reverse p-4 max-sm:last:col-span-2">
          <dt className="text-small text-muted">{nounFor(count, one, many)}</dt>
          <dd className="font-display text-title font-bold">{COUNT.format(count)}</dd>
        </Card>
      ))}
    </dl>
  );
}

/** A bar as tall as `share` of its box, from 0 to 1. Without a share it is a line. */
function Bar({ share }: { share: number }) {
  const percent = Math.max(share * 100, 1);
  return (
    <svg className="w-full max-w-16 flex-1">
      <rect
        y={`${100 - percent}%`}
        width="100%"
        height={`${percent}%`}
        rx="4"
        className={share > 0 ? "fill-signal" : "fill-line"}
      />
    </svg>
  );
}

/** Shows the revenue as bars. The table below has the exact amounts. */
function Revenue({ months, isOwn }: { months: NonNullable<Numbers["revenue"]>; isOwn: boolean }) {
  const most = Math.max(...months.map((month) => month.netCents), 1);
  return (
    <section aria-labelledby="receita" className="flex flex-col gap-3">
      <h2 id="receita" className="text-heading">
        {isOwn ? "Quanto você recebeu" : "Quanto a página recebeu"}
      </h2>
      <Card className="p-5">
        <div aria-hidden="true" className="flex h-44 items-end gap-3">
          {months.map((month) => (
            <div
              key={month.monthStartsAt}
              className="flex h-full flex-1 flex-col items-center justify-end gap-2"
            >
              <Bar share={month.netCents / most} />
              <span className="text-caption text-muted">{month.shortName}</span>
            </div>
          ))}
        </div>
      </Card>
      <Table
        caption="Receita por mês"
        columns={[
          { title: "Mês" },
          { title: "Cobranças", numeric: true },
          { title: "Vendido", numeric: true },
          { title: isOwn ? "Você recebe" : "Líquido", numeric: true },
        ]}
      >
        <tbody>
          {months.toReversed().map((month) => (
            <tr key={month.monthStartsAt}>
              <Td className="first-letter:uppercase">{month.name}</Td>
              <Td numeric>{COUNT.format(month.chargesCount)}</Td>
              <MoneyTd to={month.salesPath} cents={month.grossCents} />
              <MoneyTd to={month.salesPath} cents={month.netCents} tone="in" />
            </tr>
          ))}
        </tbody>
      </Table>
      <div className="flex flex-wrap gap-2">
        <ButtonLink to="/analytics/recurring" variant="outline">
          Ver a receita recorrente
        </ButtonLink>
        <ButtonLink to="/settings/transactions" variant="outline">
          Ver todos os lançamentos
        </ButtonLink>
      </div>
    </section>
  );
}

function TopPosts({ posts }: { posts: Numbers["topPosts"] }) {
  if (posts.length === 0) return null;
  return (
    <section aria-labelledby="mais-curtidas" className="flex flex-col gap-3">
      <h2 id="mais-curtidas" className="text-heading">
        Mais curtidas
      </h2>
      <Card className="overflow-hidden">
        <ol className="divide-y divide-line">
          {posts.map((post) => (
            <li key={post.id}>
              <Link
                to={`/post/${post.id}`}
                className="flex min-h-14 flex-wrap items-center justify-between gap-x-4 px-5 py-3 hover:bg-sand/60"
              >
                <span className="font-semibold">{post.title}</span>
                <span className="text-small text-muted">
                  {counted(post.likesCount, "curtida", "curtidas")} ·{" "}
                  {counted(post.commentsCount, "comentário", "comentários")}
                </span>
              </Link>
            </li>
          ))}
        </ol>
      </Card>
    </section>
  );
}
