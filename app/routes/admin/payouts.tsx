import { Link, NavLink } from "react-router";
import { VIEW_WORDS } from "#app/components/payouts/desk-words.ts";
import { PayoutBadge } from "#app/components/payouts/payout-status.tsx";
import { HELD_LABELS, WAITS_LABELS } from "#app/components/payouts/payout-words.ts";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { EmptyState } from "#app/components/ui/empty.tsx";
import { Money } from "#app/components/ui/money.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { MoreLink } from "#app/components/ui/pager.tsx";
import { deskCounts, deskPayouts } from "#app/domain/payouts/queries/desk.server.ts";
import { destinationWords } from "#app/domain/payouts/rules/destinations.ts";
import { payoutLabel } from "#app/domain/payouts/rules.ts";
import { deskViews } from "#app/domain/payouts/rules/desk.ts";
import type { DeskView } from "#app/domain/payouts/rules/desk.ts";
import { formatMinute } from "#app/domain/time.ts";
import { domainContext } from "#app/http/contexts.ts";
import type { Route } from "./+types/payouts.ts";

const PAGE_ROWS = 30;

export const meta: Route.MetaFunction = () => [{ title: "Saques de todos · Coreto" }];

export async function loader({ request, context }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const search = new URL(request.url).searchParams;
  const view: DeskView = deskViews.find((one) => one === search.get("view")) ?? "approval";
  const [page, counts] = await Promise.all([deskPayouts(ctx, { view, cursor: search.get("cursor"), limit: PAGE_ROWS }), deskCounts(ctx)]);
  const items = page.items.map(({ payout, name, username, availableCents }) => ({
    id: payout.id,
    name: name ?? "Conta encerrada",
    username,
    status: payout.status,
    label: payoutLabel(payout.status),
    heldLabel: payout.waitsFor ? WAITS_LABELS[payout.waitsFor] : payout.heldReason && HELD_LABELS[payout.heldReason],
    to: destinationWords(payout.pixKeyKind, payout.pixKey),
    cents: payout.amountCents > 0 ? payout.amountCents : payout.status === "canceled" ? 0 : availableCents,
    requestedAt: payout.requestedAt,
  }));
  return { view, counts, items, next: page.next, limitCents: ctx.settings.payoutApprovalCents };
}

export default function Payouts({ loaderData: { view, counts, items, next, limitCents } }: Route.ComponentProps) {
  return (
    <>
      <PageHeader
        title="Saques de todos"
        lead={
          <>
            Acima de <Money cents={limitCents} />, um saque só sai com a aprovação de quem não o recebe.
          </>
        }
      >
        <ButtonLink to="/admin/payouts/batches" variant="outline" size="sm">
          Lotes
        </ButtonLink>
      </PageHeader>
      <div className="flex flex-col gap-5">
        <nav aria-label="Filtro" className="-mx-4 overflow-x-auto px-4 sm:mx-0 sm:px-0">
          <ul className="flex gap-2">
            {deskViews.map((one) => (
              <li key={one}>
                <NavLink
                  to={`?view=${one}`}
                  aria-current={one === view ? "page" : undefined}
                  className={`inline-flex min-h-11 items-center rounded-full border px-4 text-small whitespace-nowrap ${one === view ? "border-leaf bg-signal-soft font-semibold text-ink" : "border-edge text-muted hover:text-ink"}`}
                >
                  {VIEW_WORDS[one].label}
                  {one in counts && counts[one as keyof typeof counts] > 0 ? ` (${counts[one as keyof typeof counts]})` : ""}
                </NavLink>
              </li>
            ))}
          </ul>
        </nav>
        {items.length === 0 ? (
          <EmptyState title={VIEW_WORDS[view].empty}>O que mudar aparece aqui.</EmptyState>
        ) : (
          <Card className="p-0">
            <ul className="divide-y divide-line">
              {items.map((item) => (
                <li key={item.id}>
                  <Link to={`/admin/payouts/${item.id}`} className="flex items-start justify-between gap-4 px-5 py-4 hover:bg-sand">
                    <span className="flex min-w-0 flex-col wrap-anywhere">
                      <span className="font-semibold">{item.name}</span>
                      <span className="text-small text-muted">
                        {item.username ? `@${item.username} · ` : ""}
                        pedido em {formatMinute(item.requestedAt)} · {item.to}
                      </span>
                    </span>
                    <span className="flex shrink-0 flex-col items-end gap-1">
                      <Money cents={item.cents} className="font-semibold" />
                      <PayoutBadge status={item.status} label={item.heldLabel ?? item.label} />
                    </span>
                  </Link>
                </li>
              ))}
            </ul>
          </Card>
        )}
        <MoreLink next={next} />
      </div>
    </>
  );
}
