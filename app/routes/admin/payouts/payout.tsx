import { Form, Link, useNavigation } from "react-router";
import { providerLabel } from "#app/components/ledger/provider-label.ts";
import { StaffActionList } from "#app/components/payouts/reviews/staff-actions.tsx";
import {
  StaffActionButton,
  ReasonedActionForm,
} from "#app/components/payouts/reviews/staff-review-forms.tsx";
import { PayoutBadge } from "#app/components/payouts/payout-status.tsx";
import {
  refreshedToast,
  payoutEndDetail,
  heldTextForStaff,
  waitTextForStaff,
} from "#app/components/payouts/payout-labels.ts";
import { DetailList } from "#app/components/payments/detail-list.tsx";
import type { Detail } from "#app/components/payments/detail-list.tsx";
import { Button, ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { FormMessage } from "#app/components/ui/fields/form-message.tsx";
import { Money } from "#app/components/ui/money.tsx";
import { MoneyLink } from "#app/components/ui/links/money-link.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { useFirstError } from "#app/components/ui/fields/use-first-error.ts";
import {
  approvePayout,
  refreshPayout,
  cancelPayoutByStaff,
  holdPayoutsOf,
  releasePayoutsOf,
  retryPayout,
} from "#app/domain/payouts/staff-review/commands/staff-review.server.ts";
import { recordPaidAfterReversal } from "#app/domain/payouts/staff-review/commands/paid-after-reversal.server.ts";
import {
  reviewedPayout,
  destinationSignature,
} from "#app/domain/payouts/staff-review/queries/staff-review.server.ts";
import { payoutLabel } from "#app/domain/payouts/rules.ts";
import { maskDestination } from "#app/domain/payouts/destinations/rules/destinations.ts";
import { maskOwner } from "#app/domain/payouts/key-owners/rules/key-owners.ts";
import { allowedStaffActions } from "#app/domain/payouts/staff-review/rules.ts";
import { canApprovePayout } from "#app/domain/payouts/holds/rules/holds.ts";
import { staffReviewSchema } from "#app/domain/payouts/schema.ts";
import { formatMoney } from "#app/domain/money.ts";
import { formatMinute } from "#app/domain/time.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import { handleForm } from "#app/http/form.ts";
import { foundOr404 } from "#app/http/refusal.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import type { Route } from "./+types/payout.ts";

export const meta: Route.MetaFunction = () => [{ title: "Saque · Coreto" }];

// Neither the account nor its owner leaves the server, because each access to documents is
// recorded.
export async function loader({ params, context }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const {
    payout: { ownerName: _, ownerTaxId: __, pixKey, ...payout },
    name,
    username,
    availableCents,
    hold,
    acts,
    teamIds,
    keyOwner,
  } = foundOr404(await reviewedPayout(ctx, { payoutId: params.id }), "Este saque não existe.");
  const { id: viewerId } = context.get(memberContext);
  const mayConsent =
    canApprovePayout(viewerId, payout) &&
    !teamIds.includes(viewerId) &&
    !acts.some(({ act, moderatorId }) => act === "retry" && moderatorId === viewerId);
  return {
    ...payout,
    label: payoutLabel(payout.status),
    name: name ?? "Conta encerrada",
    username,
    availableCents,
    to: maskDestination(payout.pixKeyKind, pixKey),
    place: await destinationSignature(ctx, { ...payout, pixKey }),
    hold,
    acts,
    keyOwner: keyOwner && {
      askedAt: keyOwner.askedAt,
      isOwn: keyOwner.verdict === "own",
      directoryOwner: keyOwner.directoryOwner && maskOwner(keyOwner.directoryOwner),
      documentOwner: keyOwner.documentOwner && maskOwner(keyOwner.documentOwner),
    },
    may: {
      ...allowedStaffActions(payout),
      approve: allowedStaffActions(payout).approve && mayConsent,
      record:
        allowedStaffActions(payout).record &&
        viewerId !== payout.creatorId &&
        !teamIds.includes(viewerId),
      release: hold !== null && viewerId !== payout.creatorId && !teamIds.includes(viewerId),
    },
    isForOthers: allowedStaffActions(payout).approve && !mayConsent,
  };
}

const DONE = {
  approve: "Aprovado: o saque segue agora.",
  hold: "Os saques desta pessoa estão retidos.",
  release: "Liberado: o que esperava segue agora.",
  cancel: "Saque cancelado. A pessoa foi avisada.",
  retry: "Pedido de novo.",
} as const;

export async function action({ request, params, context }: Route.ActionArgs) {
  const ctx = context.get(domainContext);
  const at = { payoutId: params.id, moderatorId: context.get(memberContext).id };
  return await handleForm(request, staffReviewSchema, async (input) => {
    switch (input.act) {
      case "approve":
        await approvePayout(ctx, { ...at, seenCents: input.seenCents, seenPlace: input.seenPlace });
        break;
      case "hold":
        await holdPayoutsOf(ctx, { ...at, reason: input.reason });
        break;
      case "release":
        await releasePayoutsOf(ctx, at);
        break;
      case "cancel":
        await cancelPayoutByStaff(ctx, { ...at, reason: input.reason });
        break;
      case "retry": {
        const { payoutId } = await retryPayout(ctx, at);
        return await redirectWithToast(request, `/admin/payouts/${payoutId}`, {
          kind: "success",
          message: DONE.retry,
        });
      }
      case "record": {
        const { owedCents } = await recordPaidAfterReversal(ctx, at);
        return await redirectWithToast(request, `/admin/payouts/${params.id}`, {
          kind: "success",
          message:
            owedCents === 0
              ? "Registrado: o banco pagou este saque, e o valor saiu do saldo."
              : `Registrado: o banco pagou este saque. ${formatMoney(owedCents)} já tinham saído de novo, e ficam a descontar das próximas vendas.`,
        });
      }
      case "ask":
        return await redirectWithToast(
          request,
          `/admin/payouts/${params.id}`,
          refreshedToast(await refreshPayout(ctx, at)),
        );
    }
    return await redirectWithToast(request, `/admin/payouts/${params.id}`, {
      kind: "success",
      message: DONE[input.act],
    });
  });
}

type LoaderData = Route.ComponentProps["loaderData"];

export default function Payout({ loaderData: payout, actionData }: Route.ComponentProps) {
  useFirstError(actionData);
  return (
    <>
      <PageHeader title={payout.name} lead={payout.username ? `@${payout.username}` : undefined}>
        <PayoutBadge status={payout.status} label={payout.label} />
      </PageHeader>
      <div className="flex flex-col gap-6">
        <FormMessage message={actionData?.message} />
        <Card className="p-5 sm:p-6">
          <DetailList details={detailsOf(payout)} />
        </Card>
        <Decisions payout={payout} problem={actionData} />
        <StaffActionList acts={payout.acts} />
        <ButtonLink to="/admin/payouts" variant="ghost" className="-ml-5 self-start">
          Voltar aos saques
        </ButtonLink>
      </div>
    </>
  );
}

function detailsOf(payout: LoaderData): Detail[] {
  const at = (label: string, moment: number | null): Detail[] =>
    moment === null ? [] : [{ label, value: formatMinute(moment) }];
  const isFixed = payout.amountCents > 0;
  return [
    isFixed
      ? {
          label: "Valor",
          value: (
            <MoneyLink
              to={`/admin/ledger/accounts/payout_in_transit:${payout.id}?payoutId=${payout.id}`}
              isTotal
              cents={payout.amountCents}
            />
          ),
        }
      : {
          label: "Disponível agora",
          value: (
            <MoneyLink
              to={`/admin/ledger/accounts/creator_available:${payout.creatorId}`}
              isTotal
              cents={payout.availableCents}
            />
          ),
        },
    ...(payout.approvedCents === null
      ? []
      : [{ label: "Aprovado até", value: <Money cents={payout.approvedCents} /> }]),
    { label: payout.pixKeyKind === "bank_account" ? "Conta" : "Chave Pix", value: payout.to },
    ...(payout.keyOwner ? [ownerFact(payout.keyOwner)] : []),
    { label: "Provedor", value: payout.provider && providerLabel(payout.provider) },
    ...(payout.status === "held" && payout.heldReason
      ? [{ label: "Retido", value: heldTextForStaff(payout.heldReason) }]
      : []),
    ...(payout.waitsFor
      ? [{ label: "Espera", value: waitTextForStaff(payout.waitsFor, payout.waitsUntil) }]
      : []),
    ...(payout.hold
      ? [
          {
            label: `Retido pela moderação em ${formatMinute(payout.hold.heldAt)}`,
            value: payout.hold.reason,
          },
        ]
      : []),
    ...(payout.failureCode ? [payoutEndDetail(payout.status, payout.failureCode)] : []),
    ...at("Pedido", payout.requestedAt),
    ...at("Reservado", payout.claimedAt),
    ...at("Enviado", payout.sentAt),
    ...at("Terminou", payout.settledAt),
    {
      label: "Lançamentos",
      value: away(
        `/admin/ledger/accounts/creator_available:${payout.creatorId}`,
        "Ver na conta do disponível",
      ),
    },
    ...(isFixed
      ? [
          {
            label: "A caminho",
            value: away(
              `/admin/ledger/accounts/payout_in_transit:${payout.id}`,
              "Ver a conta deste saque",
            ),
          },
        ]
      : []),
    {
      label: "Tudo o que não saiu",
      value: away(
        `/admin/payouts/people/${payout.creatorId}`,
        "Ver por que cada valor ainda não saiu",
      ),
    },
  ];
}

const away = (to: string, label: string) => (
  <Link to={to} className="underline underline-offset-4">
    {label}
  </Link>
);

/** Shows the masked key owner in DICT beside the documents, as they were compared. */
const ownerFact = ({
  askedAt,
  isOwn,
  directoryOwner,
  documentOwner,
}: NonNullable<LoaderData["keyOwner"]>): Detail => ({
  label: "Titular da chave",
  value: `${directoryOwner === null ? "Ninguém tem esta chave no Pix" : `No Pix: ${directoryOwner}`}. Nos documentos aprovados: ${documentOwner ?? "nenhum"}. ${isOwn ? "Confere" : "Não confere"}, perguntado em ${formatMinute(askedAt)}.`,
});

function Decisions({
  payout,
  problem,
}: {
  payout: LoaderData;
  problem: Route.ComponentProps["actionData"];
}) {
  const isBusy = useNavigation().state !== "idle";
  const { may, hold } = payout;
  return (
    <section aria-labelledby="decisions" className="flex flex-col gap-3">
      <h2 id="decisions" className="text-heading">
        O que fazer
      </h2>
      {payout.isForOthers ? (
        <p className="text-muted">
          Você recebe ou pediu este saque, ou trabalha na equipe de quem recebe: outra pessoa da
          moderação precisa aprová-lo.
        </p>
      ) : null}
      <div className="flex flex-wrap gap-2">
        {may.approve ? (
          <Form method="post">
            <input type="hidden" name="act" value="approve" />
            <input type="hidden" name="seenCents" value={payout.availableCents} />
            <input type="hidden" name="seenPlace" value={payout.place} />
            <Button disabled={isBusy || payout.availableCents <= 0}>
              Aprovar <Money cents={payout.availableCents} />
            </Button>
          </Form>
        ) : null}
        {may.retry ? <StaffActionButton act="retry">Pedir de novo</StaffActionButton> : null}
        {may.record ? (
          <StaffActionButton act="record">O banco pagou: registrar</StaffActionButton>
        ) : null}
        {may.ask ? <StaffActionButton act="ask">Perguntar ao provedor</StaffActionButton> : null}
        {may.release ? (
          <StaffActionButton act="release">Liberar os saques desta pessoa</StaffActionButton>
        ) : null}
      </div>
      {hold && !may.release ? (
        <p className="text-muted">
          Você recebe este dinheiro, ou trabalha na equipe de quem recebe: outra pessoa da moderação
          libera.
        </p>
      ) : null}
      {hold ? null : (
        <ReasonedActionForm
          act="hold"
          title="Reter os saques desta pessoa"
          hint="Nada mais sai até alguém liberar, nem o que já estava reservado. O que o provedor já recebeu segue."
          problem={problem}
        >
          Reter
        </ReasonedActionForm>
      )}
      {may.cancel ? (
        <ReasonedActionForm
          act="cancel"
          title="Cancelar este saque"
          hint="O dinheiro continua no saldo de quem recebe."
          problem={problem}
        >
          Cancelar saque
        </ReasonedActionForm>
      ) : null}
    </section>
  );
}
