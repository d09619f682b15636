import { quoted } from "#app/domain/text.ts";
import { useCallback } from "react";
import { data, redirect, useNavigation, useRevalidator } from "react-router";
import { UsernameOffer } from "#app/components/account/username-offer.tsx";
import { SuggestedCreators } from "#app/components/checkout/suggested-creators.tsx";
import { MandateAnswered } from "#app/components/checkout/pix/mandate-outcome.tsx";
import { CheckoutFrame } from "#app/components/checkout/checkout-frame.tsx";
import {
  RetryPaymentCard,
  AlreadyBoughtCard,
  ChargeConfirmationCard,
  DisputedCard,
  PaidCard,
  ProcessingCard,
  RefundedCard,
  RefundPendingCard,
} from "#app/components/checkout/charge-outcome.tsx";
import { OtherWays } from "#app/components/checkout/other-ways.tsx";
import { OrderSummary } from "#app/components/checkout/order-summary.tsx";
import { PixPending } from "#app/components/checkout/pix/pix-pending.tsx";
import { unpaidText } from "#app/components/checkout/unpaid-text.ts";
import { useChargeStatus } from "#app/components/checkout/use-charge-status.ts";
import { methodTexts } from "#app/components/payments/method-words.ts";
import { TipPaidCard } from "#app/components/tips/tip-paid-card.tsx";
import { useUpdateFocus } from "#app/components/ui/use-update-focus.ts";
import { mediaUrl } from "#app/domain/media/rules.ts";
import { ProviderUnclear } from "#app/domain/payments/errors.ts";
import { checkoutCharge } from "#app/domain/payments/charges/queries/checkout.server.ts";
import { sharedPixToken } from "#app/domain/payments/shared-pix/queries.server.ts";
import {
  chargeTopic,
  isRefundable,
  isUnpaid,
  isAwaitingPayment,
} from "#app/domain/payments/rules.ts";
import { sharedPixPath } from "#app/domain/payments/shared-pix/rules.ts";
import { periodEndsAt } from "#app/domain/plans/rules.ts";
import { checkPayment } from "#app/domain/purchases/checkout/commands/payer-requests.server.ts";
import { ChargeRefreshRateLimited } from "#app/domain/purchases/errors.ts";
import { purchasedContentPath } from "#app/domain/purchases/rules.ts";
import { giverGiftPath } from "#app/domain/purchases/gifts/rules.ts";
import { settleMandateOfCharge } from "#app/domain/subscriptions/pix-mandates/commands/settle-mandate.server.ts";
import { declineMessage } from "#app/domain/subscriptions/errors.ts";
import { givesAccess } from "#app/domain/subscriptions/rules.ts";
import { pixMandateState } from "#app/domain/subscriptions/pix-mandates/rules.ts";
import { isNewSubscription, paymentAccess } from "#app/domain/subscriptions/history/rules.ts";
import { formatDay, instantOfIsoDay } from "#app/domain/time.ts";
import { afterPayment, NOTHING_AFTER_PAYMENT } from "#app/http/checkout/after-payment.server.ts";
import { originPost } from "#app/http/checkout/origin-post.server.ts";
import { usernameOffer } from "#app/http/identity/username-offer.server.ts";
import { paymentPageState } from "#app/http/checkout/status-topic.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import { foundOr404 } from "#app/http/refusal.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import { againAt, chargeTitle, otherWays } from "./retry.server.ts";
import { listensUntil, pixShown } from "./pix-view.server.ts";
import type { Route } from "./+types/charge.ts";

const NOT_FOUND = "Não encontramos este pagamento.";

// The title of a tab in the background shows that the payment arrived.
export const meta: Route.MetaFunction = ({ loaderData }) => [
  { title: `${loaderData ? headline(loaderData) : "Pagamento"} · Coreto` },
];

export async function loader({ request, params, context }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const member = context.get(memberContext);
  const charge = foundOr404(
    await checkoutCharge(ctx, { memberId: member.id, chargeId: params.chargeId }),
    NOT_FOUND,
  );
  const {
    creatorAvatarMediaId,
    expiresAt,
    createdAt,
    pixCode,
    seller,
    single,
    tip,
    gift,
    change,
    automatic,
    isPlanReturning,
    currentSubscription,
    ...shown
  } = charge;
  const answer = automatic ? pixMandateState(automatic) : null;
  if (charge.isDebt) throw redirect(`/settings/transfers/debt/${charge.id}`);
  // After the payment the buyer goes straight to the purchased content.
  if (single?.isHolding && isRefundable(charge.status))
    throw await redirectWithToast(request, purchasedContentPath(single.kind, single.targetId), {
      kind: "success",
      message:
        single.kind === "event"
          ? `Pagamento confirmado: você vai. ${quoted(single.title)}.`
          : `Pagamento confirmado: ${quoted(single.title)} é sua.`,
    });
  if (gift?.isHolding && isRefundable(charge.status))
    throw await redirectWithToast(request, giverGiftPath(gift.id), {
      kind: "success",
      message: "Pagamento confirmado: o presente está pronto para entregar.",
    });
  const isPixWaiting =
    charge.status === "awaiting_payment" && pixCode !== null && expiresAt !== null;
  const isOver = isUnpaid(charge.status) && !isAwaitingPayment(charge.status);
  const again = isOver ? await againAt(ctx, { memberId: member.id, charge }) : null;
  const paid =
    currentSubscription && isRefundable(charge.status)
      ? paymentAccess(currentSubscription, ctx.now())
      : null;
  const waits =
    isAwaitingPayment(charge.status) || (isRefundable(charge.status) && answer === "waiting");
  const renewsAt = paid
    ? paid.nextChargeAt
    : !isAwaitingPayment(charge.status)
      ? null
      : change
        ? change.coversUntil
        : charge.interval
          ? (charge.periodEndsAt ??
            periodEndsAt(charge.beginsAt ?? createdAt, charge.interval, charge.periods))
          : null;
  const nextChargeAt =
    automatic && renewsAt !== null && answer !== "none"
      ? instantOfIsoDay(automatic.startsOn)
      : renewsAt;
  const planId = isRefundable(charge.status) ? charge.planId : null;
  const isWelcome = planId !== null && isNewSubscription(charge, paid);
  const after =
    planId === null
      ? NOTHING_AFTER_PAYMENT
      : await afterPayment(ctx, {
          planId,
          memberId: member.id,
          creatorUsername: charge.creatorUsername,
          isWelcome,
        });
  return {
    ...shown,
    ...after,
    isWelcome,
    waits,
    waitedFor: paymentPageState(charge),
    automatic:
      automatic && answer && charge.interval
        ? {
            state: answer,
            todayCents: charge.amountCents,
            amountCents: automatic.amountCents,
            ceilingCents: automatic.ceilingCents,
            interval: charge.interval,
            debitOn: formatDay(instantOfIsoDay(automatic.startsOn)),
          }
        : null,
    creatorPath: `/space/${charge.creatorUsername}`,
    creatorAvatarUrl: creatorAvatarMediaId ? mediaUrl(creatorAvatarMediaId, "320") : null,
    seller,
    firstName: member.name.split(" ")[0] ?? member.name,
    again,
    ...chargeTitle(charge),
    soldBy:
      paid || (change?.isDone && isRefundable(charge.status))
        ? await originPost(ctx, {
            request,
            memberId: member.id,
            creatorUsername: charge.creatorUsername,
          })
        : null,
    usernameOffer: isRefundable(charge.status) ? usernameOffer(context) : null,
    otherWays: isOver && !again ? null : await otherWays(ctx, { memberId: member.id, charge }),
    boughtPath:
      single?.isBoughtAlready && isUnpaid(charge.status)
        ? purchasedContentPath(single.kind, single.targetId)
        : null,
    isReturning:
      (isPlanReturning ||
        single !== null ||
        gift !== null ||
        tip?.isHolding === false ||
        change?.isDone === false) &&
      isRefundable(charge.status),
    paid,
    hasEnded: currentSubscription
      ? !givesAccess(currentSubscription, ctx.now())
      : single?.isHolding === false,
    nextChargeAt,
    listenAt: waits
      ? await ctx.live.address(chargeTopic(charge.id), listensUntil(ctx.realNow()))
      : null,
    pix: isPixWaiting
      ? {
          ...pixShown({ pixCode, expiresAt, createdAt }, ctx.now()),
          shareUrl: charge.automatic
            ? null
            : ctx.settings.appOrigin +
              sharedPixPath(await sharedPixToken(ctx, { chargeId: charge.id })),
        }
      : null,
  };
}

/** Handles "Já paguei": asks the provider for the charge now and shows its answer. */
export async function action({ params, context }: Route.ActionArgs) {
  const ctx = context.get(domainContext);
  const member = context.get(memberContext);
  const owned = { memberId: member.id, chargeId: params.chargeId };
  foundOr404(await checkoutCharge(ctx, owned), NOT_FOUND);
  try {
    await checkPayment(ctx, owned);
    await settleMandateOfCharge(ctx, { chargeId: params.chargeId });
  } catch (error) {
    // The page stays as it was, with the Pix code.
    if (error instanceof ChargeRefreshRateLimited)
      return data({ answer: error.message }, { status: 429 });
    if (!(error instanceof ProviderUnclear)) throw error;
    return data(
      { answer: "O banco não respondeu agora. Seguimos perguntando; tente de novo em um minuto." },
      { status: 503 },
    );
  }
  const now = foundOr404(await checkoutCharge(ctx, owned), NOT_FOUND);
  if (!isAwaitingPayment(now.status)) return redirect(`/checkout/${params.chargeId}`, 303);
  const answer =
    now.status === "requires_action"
      ? "Perguntamos ao banco: falta terminar na página do cartão."
      : "Perguntamos ao banco: o pagamento ainda não chegou. Costuma levar poucos segundos.";
  return data({ answer });
}

export default function Charge({ loaderData: charge, actionData }: Route.ComponentProps) {
  const { waits } = charge;
  const title = headline(charge);
  const titleRef = useUpdateFocus<HTMLHeadingElement>(title);
  useChargeStatus({
    statusPath: `/checkout/${charge.id}/status`,
    status: charge.waitedFor,
    isWaiting: waits,
    listenAt: charge.listenAt,
  });
  return (
    <CheckoutFrame
      summary={
        <OrderSummary
          {...charge}
          renews={charge.interval}
          sumWord={
            isRefundable(charge.status)
              ? "Você pagou"
              : isAwaitingPayment(charge.status)
                ? undefined
                : "Valor"
          }
          isRenewal={charge.renewsSubscriptionId !== null}
        />
      }
      summaryFirst={false}
    >
      {waits ? (
        <noscript>
          {/* The field is long enough to copy the code by hand. */}
          <meta httpEquiv="refresh" content={charge.pix ? "10" : "5"} />
        </noscript>
      ) : null}
      <header className="flex flex-col gap-2">
        <p className="text-muted wrap-anywhere">{charge.description}</p>
        <h1
          ref={titleRef}
          tabIndex={-1}
          className="max-w-[12em] text-title outline-none sm:text-display"
        >
          {title}
        </h1>
      </header>
      <div aria-live="polite" className="flex flex-col gap-5">
        <Outcome charge={charge} answer={actionData?.answer ?? null} />
        {charge.otherWays ? <OtherWays {...charge.otherWays} /> : null}
      </div>
      {charge.isWelcome ? <SuggestedCreators people={charge.people} /> : null}
      {charge.usernameOffer ? (
        <UsernameOffer {...charge.usernameOffer} to={`/checkout/${charge.id}`} />
      ) : null}
    </CheckoutFrame>
  );
}

type ChargeData = Route.ComponentProps["loaderData"];

function headline(charge: ChargeData): string {
  if (charge.boughtPath) return "Você já comprou";
  if (charge.kind === "tip" && charge.pix) return "Pague com Pix, e o apoio chega na hora";
  if (charge.kind === "tip" && isRefundable(charge.status) && !charge.isReturning)
    return `Pronto, ${charge.firstName}: seu apoio chegou`;
  if (charge.pix && charge.automatic) return "Pague e autorize no app do seu banco";
  if (charge.pix && charge.renewsSubscriptionId) return "Pague com Pix e siga assinando";
  if (charge.pix && charge.kind === "gift") return "Pague com Pix, e o presente fica pronto";
  if (charge.kind === "change" && charge.pix) return "Pague a diferença, e o plano muda na hora";
  if (charge.kind === "change" && isRefundable(charge.status) && !charge.isReturning)
    return `Pronto, ${charge.firstName}: agora é ${charge.title}`;
  if (charge.pix && charge.beginsAt) return "Pague com Pix, e siga sem intervalo";
  if (charge.pix && charge.kind === "event") return "Pague com Pix, e a vaga é sua";
  if (charge.pix)
    return charge.kind === "plan" ? "Pague com Pix e já pode entrar" : "Pague com Pix, e é sua";
  if (charge.isReturning)
    return charge.isRefundRefused ? "A devolução atrasou" : "Estamos devolvendo o seu dinheiro";
  if (charge.paid?.kind === "paused" || charge.paid?.kind === "over") return "Pagamento confirmado";
  if (isRefundable(charge.status) && charge.renewsSubscriptionId)
    return `Pronto, ${charge.firstName}: está pago`;
  if (isRefundable(charge.status) && charge.beginsAt)
    return `Pronto, ${charge.firstName}: começa em ${formatDay(charge.beginsAt)}`;
  if (isRefundable(charge.status)) return `Pronto, ${charge.firstName}: pode entrar`;
  if (charge.status === "expired" || charge.status === "canceled")
    return unpaidText({ status: charge.status, method: charge.method }).title;
  const titles: Partial<Record<ChargeData["status"], string>> = {
    requires_action: charge.renewsSubscriptionId
      ? "Confirme no banco"
      : "Falta terminar o pagamento",
    failed: "O pagamento não passou",
    refunded: "Devolvemos o seu dinheiro",
    disputed: "Pagamento em contestação",
    dispute_lost: "Pagamento contestado",
  };
  return titles[charge.status] ?? "Estamos confirmando";
}

function Outcome({ charge, answer }: { charge: ChargeData; answer: string | null }) {
  const { revalidate } = useRevalidator();
  const isAsking = useNavigation().state !== "idle";
  const onEnd = useCallback(() => void revalidate(), [revalidate]);
  const { status, creatorPath, creatorName } = charge;
  if (charge.boughtPath) return <AlreadyBoughtCard path={charge.boughtPath} />;
  if (charge.pix)
    return (
      <PixPending
        {...charge.pix}
        automatic={charge.automatic}
        amountCents={charge.amountCents}
        description={charge.description}
        answer={answer}
        isAsking={isAsking}
        onEnd={onEnd}
      />
    );
  if (charge.isReturning)
    return <RefundPendingCard reason={charge.refundReason} isRefused={charge.isRefundRefused} />;
  if (isRefundable(status) && charge.kind === "tip") return <TipPaidCard {...charge} />;
  if (isRefundable(status)) {
    return (
      <>
        {charge.automatic ? <MandateAnswered {...charge.automatic} /> : null}
        <PaidCard {...charge} />
      </>
    );
  }
  if (status === "requires_action")
    return (
      <ChargeConfirmationCard
        chargeId={charge.id}
        isRenewal={charge.renewsSubscriptionId !== null}
        answer={answer}
        isAsking={isAsking}
      />
    );
  if (status === "refunded") {
    return (
      <RefundedCard
        id={charge.id}
        method={charge.method}
        reason={charge.refundReason}
        refundedCents={charge.refundedCents}
        transfer={charge.transfer}
        creatorPath={creatorPath}
        creatorName={creatorName}
      />
    );
  }
  if (status === "disputed" || status === "dispute_lost")
    return (
      <DisputedCard
        isLost={status === "dispute_lost"}
        hasEnded={charge.hasEnded}
        disputedCents={charge.disputedCents}
        amountCents={charge.amountCents}
      />
    );
  if (status === "expired" || status === "canceled") {
    return (
      <RetryPaymentCard
        {...charge}
        text={unpaidText({ status, method: charge.method }).text}
        label={methodTexts[charge.method].retryLabel}
      />
    );
  }
  if (status === "failed")
    return (
      <RetryPaymentCard
        {...charge}
        text={declineMessage(charge.failureCode)}
        label="Tentar de novo"
      />
    );
  return <ProcessingCard />;
}
