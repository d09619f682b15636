import { NavLink } from "react-router";
import { toReviewItem } from "#app/components/payouts/reviews/review-item.ts";
import { REVIEW_VIEW_LABELS } from "#app/components/payouts/reviews/staff-review-labels.ts";
import { ReviewList } from "#app/components/payouts/reviews/review-list.tsx";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { EmptyState } from "#app/components/ui/empty.tsx";
import { Money } from "#app/components/ui/money.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { MoreLink } from "#app/components/ui/links/pager.tsx";
import {
  reviewCounts,
  reviewPayouts,
} from "#app/domain/payouts/staff-review/queries/staff-review.server.ts";
import { reviewViews } from "#app/domain/payouts/staff-review/rules.ts";
import type { ReviewView } from "#app/domain/payouts/staff-review/rules.ts";
import { domainContext } from "#app/http/contexts.ts";
import type { Route } from "./+types/payouts.ts";

const PAGE_ROWS = 30;

export const meta: Route.MetaFunction = () => [{ title: "Saques de todos · Coreto" }];

export async function loader({ request, context }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const search = new URL(request.url).searchParams;
  const view: ReviewView = reviewViews.find((one) => one === search.get("view")) ?? "approval";
  const [page, counts] = await Promise.all([
    reviewPayouts(ctx, { view, cursor: search.get("cursor"), limit: PAGE_ROWS }),
    reviewCounts(ctx),
  ]);
  const items = page.items.map(toReviewItem);
  return { view, counts, items, next: page.next, limitCents: ctx.settings.payoutApprovalCents };
}

export default function Payouts({
  loaderData: { view, counts, items, next, limitCents },
}: Route.ComponentProps) {
  return (
    <>
      <PageHeader
        title="Saques de todos"
        lead={
          <>
            Acima de <Money cents={limitCents} />, um saque só sai com a aprovação de quem não o
            recebe.
          </>
        }
      >
        <ButtonLink to="/admin/ledger/accounts" variant="outline" size="sm">
          Procurar uma pessoa
        </ButtonLink>
        <ButtonLink to="/admin/payouts/batches" variant="outline" size="sm">
          Lotes
        </ButtonLink>
      </PageHeader>
      <div className="flex flex-col gap-5">
        <nav aria-label="Filtro" className="-mx-4 overflow-x-auto px-4 sm:mx-0 sm:px-0">
          <ul className="flex gap-2">
            {reviewViews.map((one) => (
              <li key={one}>
                <NavLink
                  to={`?view=${one}`}
                  aria-current={one === view ? "page" : undefined}
                  className={`inline-flex min-h-11 items-center rounded-full border px-4 text-small whitespace-nowrap ${one === view ? "border-leaf bg-signal-soft font-semibold text-ink" : "border-edge text-muted hover:text-ink"}`}
                >
                  {REVIEW_VIEW_LABELS[one].label}
                  {one in counts && counts[one as keyof typeof counts] > 0
                    ? ` (${counts[one as keyof typeof counts]})`
                    : ""}
                </NavLink>
              </li>
            ))}
          </ul>
        </nav>
        {items.length === 0 ? (
          <EmptyState title={REVIEW_VIEW_LABELS[view].empty}>O que mudar aparece aqui.</EmptyState>
        ) : (
          <ReviewList items={items} />
        )}
        <MoreLink next={next} />
      </div>
    </>
  );
}
