import { Link } from "react-router";
import { providerLabel } from "#app/components/ledger/provider-label.ts";
import {
  StaffActionButton,
  ReasonedActionForm,
} from "#app/components/payouts/reviews/staff-review-forms.tsx";
import { DetailList } from "#app/components/payments/detail-list.tsx";
import type { Detail } from "#app/components/payments/detail-list.tsx";
import { MoneyTimelineView } from "#app/components/payouts/money-timeline.tsx";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { EmptyState } from "#app/components/ui/empty.tsx";
import { Money } from "#app/components/ui/money.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { MoreLink } from "#app/components/ui/links/pager.tsx";
import { FormMessage } from "#app/components/ui/fields/form-message.tsx";
import { useFirstError } from "#app/components/ui/fields/use-first-error.ts";
import {
  holdPayoutsOf,
  releasePayoutsOf,
} from "#app/domain/payouts/staff-review/commands/staff-review.server.ts";
import { payeeReview } from "#app/domain/payouts/staff-review/queries/review-person.server.ts";
import { loadMoneyTimeline } from "#app/domain/payouts/timeline/queries/timeline.server.ts";
import {
  unpaidBalanceCents,
  timelineRowPayout,
} from "#app/domain/payouts/timeline/rules/timeline.ts";
import type { TimelineRow } from "#app/domain/payouts/timeline/rules/timeline.ts";
import { payeeReviewSchema } from "#app/domain/payouts/schema.ts";
import { countedFromTwo } from "#app/domain/text.ts";
import { formatMinute } from "#app/domain/time.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import { handleForm } from "#app/http/form.ts";
import { foundOr404 } from "#app/http/refusal.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import type { Route } from "./+types/payout-person.ts";

const PAGE_ROWS = 50;

export const meta: Route.MetaFunction = () => [{ title: "Dinheiro parado · Coreto" }];

export async function loader({ request, params: { personId }, context }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const cursor = new URL(request.url).searchParams.get("cursor");
  const [person, timeline] = await Promise.all([
    payeeReview(ctx, { personId }),
    loadMoneyTimeline(ctx, { creatorId: personId, cursor, limit: PAGE_ROWS }),
  ]);
  const { teamIds, ...shown } = foundOr404(person, "Ninguém com este endereço.");
  const { id: viewerId } = context.get(memberContext);
  return {
    personId,
    person: shown,
    mayRelease: shown.hold !== null && viewerId !== personId && !teamIds.includes(viewerId),
    ...timeline,
    totalCents: unpaidBalanceCents(timeline.balances),
  };
}

export async function action({ request, params: { personId }, context }: Route.ActionArgs) {
  const ctx = context.get(domainContext);
  const whose = { creatorId: personId, moderatorId: context.get(memberContext).id };
  return await handleForm(request, payeeReviewSchema, async (input) => {
    await (input.act === "hold"
      ? holdPayoutsOf(ctx, { ...whose, reason: input.reason })
      : releasePayoutsOf(ctx, whose));
    return await redirectWithToast(request, `/admin/payouts/people/${personId}`, {
      kind: "success",
      message:
        input.act === "hold"
          ? "Os saques desta pessoa estão retidos."
          : "Liberado: o que esperava segue agora.",
    });
  });
}

type LoaderData = Route.ComponentProps["loaderData"];

const ACCOUNTS: Record<TimelineRow["of"], string | null> = {
  in_transit: "payout_in_transit:to:",
  available: "creator_available:",
  reserved: "creator_reserved:",
  pending: "creator_pending:",
  owed: "creator_owed:",
  unexplained: null,
};
const saleAt = (chargeId: string) => `/settings/transactions/${chargeId}`;

export default function PayoutPerson({ loaderData, actionData }: Route.ComponentProps) {
  useFirstError(actionData);
  const { personId, person, rows, balances, holdReason, next, totalCents } = loaderData;
  const entriesOf = (section: TimelineRow["of"]) =>
    ACCOUNTS[section] === null ? null : `/admin/ledger/accounts/${ACCOUNTS[section]}${personId}`;
  const details = detailsOf(person);
  return (
    <>
      <PageHeader
        title={person.name}
        lead={`@${person.username} · Por que cada valor ainda não saiu`}
      />
      <div className="flex flex-col gap-6">
        <FormMessage message={actionData?.message} />
        <p className="flex flex-col">
          <span className="text-muted">Ao todo, ainda não pago</span>
          <Money cents={totalCents} size="large" isTotal />
        </p>
        {details.length > 0 ? (
          <Card as="section" label="Só para a equipe" className="p-5 sm:p-6">
            <DetailList details={details} />
          </Card>
        ) : null}
        {rows.length === 0 ? (
          <EmptyState title="Nada parado">Tudo o que entrou já saiu.</EmptyState>
        ) : (
          <MoneyTimelineView
            rows={rows}
            balances={balances}
            holdReason={holdReason}
            entriesOf={entriesOf}
            saleAt={saleAt}
            mayAct={false}
            inner={Inner}
          />
        )}
        <MoreLink next={next} />
        <Holding hold={person.hold} mayRelease={loaderData.mayRelease} problem={actionData} />
        {person.documents ? (
          <ButtonLink to={`/admin/documents/${personId}`} variant="outline" className="self-start">
            Ver os documentos
          </ButtonLink>
        ) : null}
        <ButtonLink to="/admin/payouts" variant="ghost" className="-ml-5 self-start">
          Voltar aos saques
        </ButtonLink>
      </div>
    </>
  );
}

function Holding({
  hold,
  mayRelease,
  problem,
}: {
  hold: LoaderData["person"]["hold"];
  mayRelease: boolean;
  problem: Route.ComponentProps["actionData"];
}) {
  if (mayRelease)
    return <StaffActionButton act="release">Liberar os saques desta pessoa</StaffActionButton>;
  if (hold)
    return (
      <p className="text-muted">
        Você recebe este dinheiro, ou trabalha na equipe de quem recebe: outra pessoa da moderação
        libera.
      </p>
    );
  return (
    <ReasonedActionForm
      act="hold"
      title="Reter os saques desta pessoa"
      hint="Nada mais sai até alguém liberar, nem o que já estava reservado nem o que for pedido depois. O que o provedor já recebeu segue."
      problem={problem}
    >
      Reter
    </ReasonedActionForm>
  );
}

const DOCUMENT_STATUS_TEXTS = {
  submitted: "Esperam decisão",
  contested: "Número em disputa",
  approved: "Aprovados",
  rejected: "Recusados",
} as const;

/** Returns the details that the owner of the money never sees. */
function detailsOf({
  hold,
  endedHolds,
  brokenChecks,
  documents,
  failed,
  retryBackoff,
}: LoaderData["person"]): Detail[] {
  return [
    {
      label: "Documentos",
      value:
        documents === null
          ? "Nunca enviados"
          : `${DOCUMENT_STATUS_TEXTS[documents.status]}${documents.rejectionReason === null ? "" : `: ${documents.rejectionReason}`}`,
    },
    ...(hold
      ? [
          {
            label: `Retido por ${hold.moderatorName ?? "alguém da equipe"} em ${formatMinute(hold.heldAt)}`,
            value: hold.reason,
          },
        ]
      : []),
    ...endedHolds.map((one) => ({
      label: `Retido por ${one.moderatorName ?? "alguém da equipe"} em ${formatMinute(one.heldAt)}, liberado por ${one.endedByName ?? "alguém da equipe"} em ${formatMinute(one.endedAt ?? one.heldAt)}`,
      value: one.reason,
    })),
    ...(brokenChecks.length > 0
      ? [
          {
            label: "Conferências quebradas ou atrasadas",
            value: (
              <Link to="/admin/ledger" className="underline underline-offset-4">
                {brokenChecks.join(", ")}
              </Link>
            ),
          },
        ]
      : []),
    ...(retryBackoff
      ? [
          {
            label: `O saque falhou ${countedFromTwo(retryBackoff.failures, "uma vez", "vezes")}`,
            value: `Nova tentativa em ${formatMinute(retryBackoff.nextAttemptAt)}`,
          },
        ]
      : []),
    ...(failed.length > 0
      ? [{ label: "Saques que não saíram", value: <Failed failed={failed} /> }]
      : []),
  ];
}

function Failed({ failed }: Pick<LoaderData["person"], "failed">) {
  return (
    <ul>
      {failed.map(({ id, failureCode, requestedAt, provider }) => (
        <li key={id}>
          <Link
            to={`/admin/payouts/${id}`}
            className="inline-flex min-h-11 items-center underline underline-offset-4"
          >
            {formatMinute(requestedAt)}, {provider && providerLabel(provider)}: {failureCode}
          </Link>
        </li>
      ))}
    </ul>
  );
}

function Inner(row: TimelineRow) {
  const payoutId = timelineRowPayout(row);
  if (payoutId !== null) return <PayoutLink id={payoutId} />;
  if (row.of === "pending" && row.sale.failures > 0)
    return (
      <p className="text-small text-attention">
        A liberação falhou {countedFromTwo(row.sale.failures, "uma vez", "vezes")} e tenta de novo
        sozinha.
      </p>
    );
  return null;
}

const PayoutLink = ({ id }: { id: string }) => (
  <Link
    to={`/admin/payouts/${id}`}
    className="inline-flex min-h-11 items-center text-small font-semibold text-leaf underline underline-offset-4"
  >
    Abrir o saque
  </Link>
);
