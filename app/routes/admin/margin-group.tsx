import { Link } from "react-router";
import { groupWords } from "#app/components/payments/margin-words.ts";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { Money } from "#app/components/ui/money.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { MoreLink } from "#app/components/ui/pager.tsx";
import { Table, Td, Th } from "#app/components/ui/table.tsx";
import { marginItems } from "#app/domain/ledger/queries/margin.server.ts";
import type { MarginItem } from "#app/domain/ledger/queries/margin.server.ts";
import { groupNamed, leftCents } from "#app/domain/ledger/rules/margin.ts";
import { askedMonth, boundsOf, monthWords } from "#app/domain/ledger/rules/months.ts";
import { formatMinute } from "#app/domain/time.ts";
import { domainContext } from "#app/http/contexts.ts";
import { found } from "#app/http/refusal.ts";
import type { Route } from "./+types/margin-group.ts";

const PAGE_ROWS = 50;
/** Far more than anybody turns; the last page says that there is more. */
const MOST_SKIPPED = 5_000;

export const meta: Route.MetaFunction = () => [{ title: "Margem · Coreto" }];

export async function loader({ request, params, context }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const search = new URL(request.url).searchParams;
  const group = found(groupNamed(params.group), "Esta faixa não existe.");
  const month = askedMonth(search.get("month"), ctx.now());
  const skip = Math.min(Math.max(0, Math.trunc(Number(search.get("cursor")) || 0)), MOST_SKIPPED);
  const { items, hasMore } = await marginItems(ctx, { group, ...boundsOf(month), skip, limit: PAGE_ROWS });
  return { title: groupWords(group), month, items, next: hasMore && skip < MOST_SKIPPED ? String(skip + PAGE_ROWS) : null, isCut: hasMore && skip >= MOST_SKIPPED };
}

export default function MarginGroup({ loaderData: { title, month, items, next, isCut } }: Route.ComponentProps) {
  return (
    <>
      <PageHeader title={title} lead={`O que formou a margem de ${monthWords(month)}.`} />
      {items.length === 0 ? (
        <p className="text-muted">Nada nesta faixa neste mês.</p>
      ) : (
        <Table caption={`${title}, ${monthWords(month)}`}>
          <thead>
            <tr>
              <Th>O quê</Th>
              <Th numeric>Bruto</Th>
              <Th numeric>Nossa taxa</Th>
              <Th numeric>Custo</Th>
              <Th numeric>Sobra</Th>
            </tr>
          </thead>
          <tbody>
            {items.map((item) => (
              <tr key={item.id}>
                <Td className="min-w-40">
                  <What item={item} />
                  <span className="block text-small text-muted">{formatMinute(item.at)}</span>
                </Td>
                {[item.grossCents, item.feeCents, item.costCents, leftCents(item)].map((cents, position) => (
                  <Td key={position} numeric>
                    <Money cents={cents} className={cents < 0 ? "text-refusal" : ""} />
                  </Td>
                ))}
              </tr>
            ))}
          </tbody>
        </Table>
      )}
      <MoreLink next={next} />
      {isCut ? <p className="text-muted">Há mais do que cabe aqui: esta lista vai até as {(MOST_SKIPPED + PAGE_ROWS).toLocaleString("pt-BR")} linhas mais novas. A soma de todas está na margem do mês.</p> : null}
      <ButtonLink to={`/admin/margin?month=${month}`} variant="ghost" className="-ml-5 self-start">
        Voltar para a margem
      </ButtonLink>
    </>
  );
}

function What({ item: { chargeId, payoutId, description } }: { item: MarginItem }) {
  const to = chargeId !== null ? `/settings/transactions/${chargeId}` : payoutId !== null ? `/admin/payouts/${payoutId}` : null;
  const words = description ?? (payoutId === null ? "Lançamento" : "Saque");
  return to === null ? (
    words
  ) : (
    <Link to={to} className="font-semibold underline underline-offset-4 wrap-anywhere">
      {words}
    </Link>
  );
}
