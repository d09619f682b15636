import { UsernameOffer } from "#app/components/account/sign-in/username-offer.tsx";
import { DetailList } from "#app/components/payments/detail-list.tsx";
import type { Detail } from "#app/components/payments/detail-list.tsx";
import { methodLabel } from "#app/components/payments/charge-labels.ts";
import { methodTexts } from "#app/components/payments/method-words.ts";
import { priceAnswerText } from "#app/components/subscriptions/price-answer.tsx";
import type { PriceChangeDetails } from "#app/components/subscriptions/price-answer.tsx";
import { PlanChangeHistory } from "#app/components/subscriptions/plan-change-history.tsx";
import { SubscriptionPayments } from "#app/components/subscriptions/subscription-payments.tsx";
import { subscriptionActionLink } from "#app/components/subscriptions/subscription-action-links.ts";
import {
  nothingPaidText,
  paymentDueText,
  coolingOffBlockedText,
  subscriptionTone,
} from "#app/components/subscriptions/subscription-labels.ts";
import { Avatar } from "#app/components/ui/avatar.tsx";
import { Badge } from "#app/components/ui/badge.tsx";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { Money } from "#app/components/ui/money.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { mediaUrl } from "#app/domain/media/rules.ts";
import { formatMoney } from "#app/domain/money.ts";
import { hasSavedMethod } from "#app/domain/payments/methods/rules.ts";
import { intervalLabel } from "#app/domain/plans/rules/intervals.ts";
import { availableActions } from "#app/domain/subscriptions/overview/rules.ts";
import {
  givesAccess,
  isLive,
  isPaymentDue,
  canCancel,
  isOnTrial,
} from "#app/domain/subscriptions/rules.ts";
import { loadSubscriptionPage } from "#app/domain/subscriptions/history/queries/subscription-page.server.ts";
import { fanPriceChange } from "#app/domain/subscriptions/price-changes/queries/consents.server.ts";
import { nextChargeAt } from "#app/domain/subscriptions/pix-mandates/rules.ts";
import { planChangeLines } from "#app/domain/subscriptions/renewal-terms/queries/plan-changes.server.ts";
import { compUntilLabel } from "#app/domain/subscriptions/comps/rules.ts";
import { canWithdrawFromChange } from "#app/domain/subscriptions/plan-changes/rules/plan-change-reversal.ts";
import { daysLabel, shiftedDays } from "#app/domain/subscriptions/vacations/rules.ts";
import { quoted } from "#app/domain/text.ts";
import { formatDay, instantOfIsoDay } from "#app/domain/time.ts";
import { originPost } from "#app/http/checkout/origin-post.server.ts";
import { usernameOffer } from "#app/http/identity/username-offer.server.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import { foundOr404 } from "#app/http/refusal.ts";
import type { Route } from "./+types/subscription.ts";
import { priceAskShown } from "./price-change-view.ts";

export const meta: Route.MetaFunction = () => [{ title: "Assinatura · Coreto" }];

export async function loader({ request, params, context }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const reference = { fanId: context.get(memberContext).id, subscriptionId: params.id };
  const [mySubscription, changes, priceAsk] = await Promise.all([
    loadSubscriptionPage(ctx, reference),
    planChangeLines(ctx, reference),
    fanPriceChange(ctx, reference),
  ]);
  const { savedMethodId, ...subscription } = foundOr404(
    mySubscription,
    "Não encontramos esta assinatura.",
  );
  const planChanges = changes.map((line) => ({
    ...line,
    isInCoolingOff: canWithdrawFromChange(line, ctx.now()),
  }));
  return {
    ...subscription,
    planChanges,
    priceAsk: priceAsk?.mayAnswer ? priceAskShown(priceAsk) : null,
    live: isLive(subscription.status),
    renews: canCancel(subscription.status),
    coolingOffHeld: coolingOffBlockedText(subscription, ctx.now()),
    owed: paymentDueText(subscription),
    isOnTrial: isOnTrial(subscription),
    paysAlone: hasSavedMethod({ method: subscription.method, savedMethodId }),
    acts: availableActions(subscription, ctx.now()),
    usernameOffer: isOnTrial(subscription) ? usernameOffer(context) : null,
    // A trial is paid by no charge: whoever started one arrives here.
    soldBy: givesAccess(subscription, ctx.now())
      ? await originPost(ctx, {
          request,
          memberId: reference.fanId,
          creatorUsername: subscription.creatorUsername,
        })
      : null,
  };
}

type LoaderData = Route.ComponentProps["loaderData"];

export default function Subscription({ loaderData: subscription }: Route.ComponentProps) {
  const { id, creatorName, creatorUsername, planName, acts } = subscription;
  return (
    <>
      <PageHeader title={planName}>
        <Badge tone={subscriptionTone(subscription.status)}>{subscription.badge}</Badge>
      </PageHeader>
      <Card className="flex flex-col gap-5 p-5 sm:p-6">
        <div className="flex items-center gap-3">
          <Avatar
            name={creatorName}
            src={
              subscription.creatorAvatarMediaId
                ? mediaUrl(subscription.creatorAvatarMediaId, "320")
                : null
            }
            size="lg"
          />
          <p className="font-semibold">{creatorName}</p>
        </div>
        <VacationLine {...subscription} />
        {subscription.coolingOffHeld === null ? null : (
          <p role="status" className="rounded-field bg-sand px-4 py-3">
            {subscription.coolingOffHeld}
          </p>
        )}
        {subscription.keyAwaitedChargeId === null ? null : (
          <p
            role="status"
            className="flex flex-col items-start gap-3 rounded-field bg-sand px-4 py-3"
          >
            Um pagamento desta assinatura está voltando para você e aguarda a sua chave Pix. O
            dinheiro fica guardado até lá.
            <ButtonLink to={`/settings/transactions/${subscription.keyAwaitedChargeId}`} size="sm">
              Ver a devolução
            </ButtonLink>
          </p>
        )}
        {subscription.owed === null ? null : (
          <p className="rounded-field bg-attention-soft px-4 py-3">{subscription.owed}</p>
        )}
        <DetailList details={detailsOf(subscription)} />
        <div className="flex flex-wrap gap-2">
          {subscription.soldBy ? (
            <ButtonLink to={subscription.soldBy.path} className="max-w-full py-1.5 text-balance">
              Ver {quoted(subscription.soldBy.title)}
            </ButtonLink>
          ) : null}
          {subscription.upcomingId !== null ? (
            <ButtonLink to={`/settings/subscriptions/${subscription.upcomingId}`}>
              Ver a que começa depois
            </ButtonLink>
          ) : null}
          {acts.map((act) => {
            const { label, to, variant } = subscriptionActionLink(act, subscription);
            return (
              <ButtonLink
                key={act}
                to={to}
                variant={variant}
                size={variant === "primary" ? "md" : "sm"}
              >
                {label}
              </ButtonLink>
            );
          })}
          <ButtonLink to={`/space/${creatorUsername}`} variant="outline" size="sm">
            Ver a página
          </ButtonLink>
        </div>
      </Card>
      {subscription.usernameOffer ? (
        <div className="mt-4">
          <UsernameOffer {...subscription.usernameOffer} to={`/settings/subscriptions/${id}`} />
        </div>
      ) : null}
      {subscription.priceAsk ? (
        <PriceAsked id={id} ask={subscription.priceAsk} creatorName={creatorName} />
      ) : null}
      <PlanChangeHistory
        subscriptionId={id}
        lines={subscription.planChanges}
        nextAt={subscription.currentPeriodEndsAt}
      />
      <SubscriptionPayments
        subscriptionId={id}
        payments={subscription.payments}
        none={nothingPaidText(subscription)}
      />
    </>
  );
}

/** Explains why the dates of the subscription moved, and what a vacation means for the subscriber. */
function VacationLine({
  status,
  awayUntil,
  vacationMs,
  creatorName,
  live,
  renews,
  compEndsAt,
}: LoaderData) {
  if (!live || compEndsAt !== null || status === "upcoming") return null;
  const days = shiftedDays(vacationMs);
  const longer = days > 0 ? `O seu período ganhou ${daysLabel(days)}` : null;
  if (awayUntil === null && longer === null) return null;
  return (
    <p role="status" className="rounded-field bg-sand px-4 py-3">
      {awayUntil === null
        ? `${longer} pelas férias de ${creatorName}.`
        : `${creatorName} está de férias até ${formatDay(awayUntil)}. ${longer ? `${longer}, e` : "Até lá"} você continua vendo tudo${renews ? ", sem cobrança" : ""}.`}
    </p>
  );
}

/** Shows a proposed price beside the present one. */
function PriceAsked({
  id,
  ask,
  creatorName,
}: {
  id: string;
  ask: PriceChangeDetails;
  creatorName: string;
}) {
  return (
    <Card className="mt-4 flex flex-col items-start gap-3 p-5 sm:p-6">
      <h2 className="text-body font-semibold">Preço novo</h2>
      <p>
        {creatorName} pediu {ask.toPrice}, nos períodos que começam a partir de{" "}
        {formatDay(ask.takesEffectAt)}. {priceAnswerText(ask)}
      </p>
      {ask.state === "accepted" && ask.needsMandate ? (
        <>
          <p className="text-small text-muted">
            Falta autorizar o Pix Automático para o valor novo. Até lá o preço continua{" "}
            {ask.fromPrice}.
          </p>
          <ButtonLink to={`/settings/subscriptions/${id}/payment-method/automatic`}>
            Autorizar no banco
          </ButtonLink>
        </>
      ) : null}
      <ButtonLink to={`/settings/subscriptions/${id}/price`} variant="outline">
        {ask.state === "asked" ? "Responder" : "Mudar a resposta"}
      </ButtonLink>
    </Card>
  );
}

function detailsOf(subscription: LoaderData): Detail[] {
  const { startedAt, accessUntil, currentPeriodEndsAt, renews, compEndsAt } = subscription;
  if (subscription.giftedBy !== null) return giftDetails(subscription);
  if (compEndsAt !== null) return compDetails(subscription, compEndsAt);
  // The payment was refunded before the start of the subscription.
  const neverBegan = startedAt !== null && accessUntil !== null && startedAt > accessUntil;
  return [
    {
      label: "Preço",
      value: (
        <>
          <Money cents={subscription.amountCents} /> {intervalLabel(subscription.interval)}
        </>
      ),
    },
    {
      label: "Pagamento",
      value:
        subscription.isOnTrial && !subscription.paysAlone
          ? "Sem cartão"
          : methodLabel(subscription.method, subscription.recurringPixId),
    },
    ...(startedAt && !neverBegan
      ? [
          {
            label: subscription.status === "upcoming" ? "Começa em" : "Desde",
            value: formatDay(startedAt),
          },
        ]
      : []),
    ...(subscription.status === "upcoming" && currentPeriodEndsAt
      ? [{ label: "Já pago até", value: formatDay(currentPeriodEndsAt) }]
      : []),
    ...(subscription.status === "paused" && subscription.resumesAt
      ? [{ label: "Volta sozinha em", value: formatDay(subscription.resumesAt) }]
      : []),
    ...(subscription.status === "trialing" && accessUntil
      ? trialDetails(subscription, accessUntil)
      : []),
    ...(renews && subscription.status !== "trialing" && currentPeriodEndsAt
      ? [nextFact(subscription, currentPeriodEndsAt)]
      : []),
    ...(subscription.debit?.isRefused ? [refusedDebitFact(subscription.debit)] : []),
    ...(accessUntil && !renews && !neverBegan
      ? [{ label: "Acesso até", value: formatDay(accessUntil) }]
      : []),
    ...(subscription.protocol !== null && subscription.status === "canceled"
      ? [{ label: "Protocolo do cancelamento", value: subscription.protocol }]
      : []),
  ];
}

/** What is paid next, where that is known to be so, and when; or since when it is owed. */
function nextFact(
  { status, nextCents, debit, recurringPixId }: LoaderData,
  periodEndsAt: number,
): Detail {
  if (isPaymentDue(status)) return { label: "Em atraso desde", value: formatDay(periodEndsAt) };
  // Ordered already: its day is the one of the charge, on the eve of the period.
  const isOrdered = debit !== null && !debit.isRefused;
  const day = formatDay(
    isOrdered ? instantOfIsoDay(debit.on) : nextChargeAt(periodEndsAt, { recurringPixId }),
  );
  const amount = nextCents === null ? day : `${formatMoney(nextCents)} em ${day}`;
  return {
    label: "Próxima cobrança",
    value: isOrdered ? `${amount}, por débito pedido ao banco` : amount,
  };
}

function giftDetails({ startedAt, accessUntil, live }: LoaderData): Detail[] {
  return [
    { label: "Preço", value: "Presente, já pago por quem deu" },
    ...(startedAt ? [{ label: "Desde", value: formatDay(startedAt) }] : []),
    ...(accessUntil
      ? [
          {
            label: "Acesso",
            value: live
              ? `até ${formatDay(accessUntil)}, e não renova`
              : `terminou em ${formatDay(accessUntil)}`,
          },
        ]
      : []),
  ];
}

/** Explains what happens at the end of the trial. */
function trialDetails({ paysAlone, method }: LoaderData, endsAt: number): Detail[] {
  const day = formatDay(endsAt);
  if (paysAlone)
    return [{ label: "Primeira cobrança", value: `${day}, se você não cancelar antes` }];
  return [
    { label: "Termina em", value: day },
    {
      label: "Para continuar",
      value: methodTexts[method].afterTrial,
    },
  ];
}

function refusedDebitFact({ on }: NonNullable<LoaderData["debit"]>): Detail {
  const day = formatDay(instantOfIsoDay(on));
  return { label: "Débito recusado pelo banco", value: `${day}, e ele tenta de novo` };
}

function compDetails(
  { startedAt, accessUntil, live, creatorName }: LoaderData,
  compEndsAt: number,
): Detail[] {
  return [
    { label: "Preço", value: `Cortesia de ${creatorName}, sem cobrança` },
    ...(startedAt ? [{ label: "Desde", value: formatDay(startedAt) }] : []),
    {
      label: "Acesso",
      value: live
        ? compUntilLabel(compEndsAt)
        : `terminou em ${formatDay(accessUntil ?? compEndsAt)}`,
    },
  ];
}
