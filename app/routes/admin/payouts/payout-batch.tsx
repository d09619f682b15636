import { counted } from "#app/domain/text.ts";
import { Link } from "react-router";
import { BatchActions } from "#app/components/payouts/batches/batch-actions.tsx";
import { BatchStates } from "#app/components/payouts/batches/batch-states.tsx";
import { toReviewItem } from "#app/components/payouts/reviews/review-item.ts";
import { batchGroupLabel } from "#app/components/payouts/reviews/staff-review-labels.ts";
import { ReviewList } from "#app/components/payouts/reviews/review-list.tsx";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { EmptyState } from "#app/components/ui/empty.tsx";
import { Money } from "#app/components/ui/money.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { MoreLink } from "#app/components/ui/links/pager.tsx";
import {
  cancelBatch,
  retryBatch,
} from "#app/domain/payouts/batches/commands/batch-actions.server.ts";
import type { BatchOutcome } from "#app/domain/payouts/batches/commands/batch-actions.server.ts";
import {
  batchOfDay,
  batchParts,
  batchPayouts,
} from "#app/domain/payouts/batches/queries/batches.server.ts";
import { parseBatchFilter, batchActionCounts } from "#app/domain/payouts/staff-review/rules.ts";
import { batchActionSchema } from "#app/domain/payouts/schema.ts";
import { formatDay, formatMinute, instantOfIsoDay } from "#app/domain/time.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import { handleForm } from "#app/http/form.ts";
import { foundOr404 } from "#app/http/refusal.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import type { Route } from "./+types/payout-batch.ts";

const PAGE_ROWS = 30;

export const meta: Route.MetaFunction = () => [{ title: "Lote de saques · Coreto" }];

export async function loader({ request, params, context }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const batch = foundOr404(await batchOfDay(ctx, { day: params.day }), "Não há lote neste dia.");
  const search = new URL(request.url).searchParams;
  const parts = await batchParts(ctx, { batchId: batch.id });
  const shown = parseBatchFilter(parts, { state: search.get("state"), why: search.get("why") });
  const page =
    shown &&
    (await batchPayouts(ctx, {
      batchId: batch.id,
      ...shown,
      after: search.get("after") ?? "",
      limit: PAGE_ROWS,
    }));
  return {
    day: batch.day,
    at: instantOfIsoDay(batch.day),
    finishedAt: batch.finishedAt,
    parts,
    shown: shown && {
      ...shown,
      label: batchGroupLabel(shown),
      cents: parts
        .filter(
          ({ status, heldReason }) =>
            status === shown.status &&
            (shown.heldReason === null || shown.heldReason === heldReason),
        )
        .reduce((sum, part) => sum + part.cents, 0),
    },
    items: (page?.items ?? []).map(({ againId, ...row }) => ({ ...toReviewItem(row), againId })),
    next: page?.next ?? null,
    toDo: batchActionCounts(parts),
    // An action handles one page of the batch. It continues here with the next page.
    goesOn: { act: search.get("act"), from: search.get("from") ?? "" },
  };
}

/** Retries the failed payouts, or cancels the unsent ones. Handles one page of the batch at a time. */
export async function action({ request, params: { day }, context }: Route.ActionArgs) {
  const at = { day, moderatorId: context.get(memberContext).id };
  return await handleForm(request, batchActionSchema, async (input) => {
    const ctx = context.get(domainContext);
    const outcome =
      input.act === "retry"
        ? await retryBatch(ctx, { ...at, after: input.after })
        : await cancelBatch(ctx, { ...at, after: input.after, reason: input.reason });
    const onward =
      outcome.next === null
        ? ""
        : `?${new URLSearchParams({ act: input.act, from: outcome.next }).toString()}`;
    return await redirectWithToast(request, `/admin/payouts/batches/${day}${onward}`, {
      kind: outcome.doneCount > 0 ? "success" : "info",
      message: outcomeText(input.act, outcome),
    });
  });
}

const DONE = {
  retry: ["pedido de novo", "pedidos de novo"],
  cancel: ["cancelado", "cancelados"],
} as const;

function outcomeText(
  act: "retry" | "cancel",
  { doneCount, leftCount, next }: BatchOutcome,
): string {
  if (doneCount + leftCount === 0)
    return act === "retry"
      ? "Nada a pedir de novo: tudo o que falhou já foi pedido."
      : "Nada a cancelar: tudo já saiu ou já terminou.";
  const [one, many] = DONE[act];
  const done = counted(doneCount, one, many);
  const left =
    leftCount === 0
      ? ""
      : `; ${counted(leftCount, "não pôde", "não puderam")}: abra o saque para ver por quê`;
  return `${done}${left}.${next === null ? "" : " Há mais: continue abaixo."}`;
}

export default function PayoutBatch({ loaderData, actionData }: Route.ComponentProps) {
  const { day, at, finishedAt, parts, shown, items, next, toDo, goesOn } = loaderData;
  const count = parts.reduce((sum, part) => sum + part.count, 0);
  return (
    <>
      <PageHeader
        title={`Lote de ${formatDay(at)}`}
        lead={`${finishedAt === null ? "Em curso" : `Completo em ${formatMinute(finishedAt)}`} · ${counted(count, "saque", "saques")}`}
      />
      <div className="flex flex-col gap-6">
        {count === 0 ? (
          <EmptyState title="Nenhum saque neste lote">
            {finishedAt === null
              ? "Ele ainda procura quem tem o que receber."
              : "Ninguém com agenda tinha o que receber neste dia."}
          </EmptyState>
        ) : (
          <>
            <BatchStates day={day} parts={parts} shown={shown} />
            <BatchActions toDo={toDo} goesOn={goesOn} problem={actionData} />
          </>
        )}
        {shown === null || count === 0 ? null : (
          <section aria-labelledby="shown" className="flex flex-col gap-3">
            <div className="flex flex-wrap items-baseline justify-between gap-x-4">
              <h2 id="shown" className="text-heading">
                {shown.label}
              </h2>
              {shown.cents === 0 ? null : (
                <Money cents={shown.cents} isTotal className="font-bold" />
              )}
            </div>
            {items.length === 0 ? (
              <p className="text-muted">Nenhum saque aqui.</p>
            ) : (
              <ReviewList
                items={items}
                below={({ id }) => (
                  <Again
                    againId={items.find((item) => item.id === id)?.againId ?? null}
                    status={shown.status}
                  />
                )}
              />
            )}
            <MoreLink next={next} parameter="after" />
          </section>
        )}
        <ButtonLink to="/admin/payouts/batches" variant="ghost" className="-ml-5 self-start">
          Voltar aos lotes
        </ButtonLink>
      </div>
    </>
  );
}

/** Links a failed or returned payout to the payout that was requested after it. */
function Again({ againId, status }: { againId: string | null; status: string }) {
  if (againId === null || (status !== "failed" && status !== "returned")) return null;
  return (
    <Link
      to={`/admin/payouts/${againId}`}
      className="-mt-2 mb-2 ml-5 inline-flex min-h-11 items-center text-small font-semibold text-leaf underline underline-offset-4"
    >
      Veja o saque pedido depois
    </Link>
  );
}
