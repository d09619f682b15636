import { SaleAmounts } from "#app/components/payments/sale-amounts.tsx";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { EmptyState } from "#app/components/ui/empty.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { MoreLink } from "#app/components/ui/links/pager.tsx";
import { upcomingReleases } from "#app/domain/payouts/timeline/queries/upcoming-releases.server.ts";
import type { UpcomingReleasesFilter } from "#app/domain/payouts/timeline/queries/upcoming-releases.server.ts";
import { formatDay, instantOfIsoDay } from "#app/domain/time.ts";
import { requireActor } from "#app/http/acting.server.ts";
import { domainContext } from "#app/http/contexts.ts";
import type { Route } from "./+types/releases.ts";

const PAGE_ROWS = 50;
const DAY = /^\d{4}-\d{2}-\d{2}$/;

export const meta: Route.MetaFunction = () => [{ title: "Quando o dinheiro fica livre · Coreto" }];

/**
 * Parses which releases the address selects. An address without a valid day selects those without a
 * date.
 */
function asked(search: URLSearchParams): { which: UpcomingReleasesFilter; title: string } {
  const [on, after] = ["dia", "depois"]
    .map((name) => search.get(name) ?? "")
    .map((text) => (DAY.test(text) ? instantOfIsoDay(text) : null));
  if (on) return { which: { on }, title: `O que fica livre em ${formatDay(on)}` };
  return after
    ? { which: { after }, title: `O que fica livre depois de ${formatDay(after)}` }
    : { which: "undated", title: "O que ainda não tem data para ficar livre" };
}

export async function loader({ request, context }: Route.LoaderArgs) {
  const { space, isOwn } = requireActor({ context }, "money:see");
  const search = new URL(request.url).searchParams;
  const { which, title } = asked(search);
  const page = await upcomingReleases(context.get(domainContext), {
    creatorId: space.personId,
    which,
    cursor: search.get("cursor"),
    limit: PAGE_ROWS,
  });
  return { ...page, title, of: isOwn ? null : space.name };
}

export default function Releases({
  loaderData: { items, next, sumCents, title, of },
}: Route.ComponentProps) {
  return (
    <>
      <PageHeader
        title={title}
        lead={of ? `Da página de ${of}.` : "Cada venda, e a parte dela que ainda espera."}
      />
      <div className="flex flex-col gap-5">
        {items.length === 0 ? (
          <EmptyState title="Nada espera por aqui">
            O que já ficou livre está no disponível.
          </EmptyState>
        ) : (
          <SaleAmounts
            caption={title}
            columns={["Venda", "Fica livre"]}
            sumCents={sumCents}
            rows={items.map(({ at, ...item }) => ({
              ...item,
              note: at === null ? null : formatDay(at),
            }))}
          />
        )}
        <MoreLink next={next} />
        <ButtonLink to="/settings/transfers" variant="ghost" className="-ml-5 self-start">
          Voltar para os saques
        </ButtonLink>
      </div>
    </>
  );
}
