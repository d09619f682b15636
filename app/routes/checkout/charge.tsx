import { data, redirect } from "react-router";
import { UsernameOffer } from "#app/components/account/sign-in/username-offer.tsx";
import { SuggestedCreators } from "#app/components/checkout/suggested-creators.tsx";
import { CheckoutFrame } from "#app/components/checkout/checkout-frame.tsx";
import { OtherWays } from "#app/components/checkout/methods/other-ways.tsx";
import { OrderSummary } from "#app/components/checkout/order/order-summary.tsx";
import { useChargeStatus } from "#app/components/checkout/charge/use-charge-status.ts";
import { useUpdateFocus } from "#app/components/ui/use-update-focus.ts";
import { ProviderUnclear } from "#app/domain/payments/errors.ts";
import { checkoutCharge } from "#app/domain/payments/charges/queries/checkout.server.ts";
import { isRefundable, isAwaitingPayment } from "#app/domain/payments/rules.ts";
import { checkPayment } from "#app/domain/purchases/checkout/commands/payer-requests.server.ts";
import { ChargeRefreshRateLimited } from "#app/domain/purchases/errors.ts";
import { settleMandateOfCharge } from "#app/domain/subscriptions/pix-mandates/commands/settle-mandate.server.ts";
import { usernameOffer } from "#app/http/identity/username-offer.server.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import { foundOr404 } from "#app/http/refusal.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import { chargeHeadline } from "./charge-headline.ts";
import { ChargeOutcome } from "./charge-outcome.tsx";
import { chargeView, pageOfPaid } from "./charge-view.server.ts";
import type { Route } from "./+types/charge.ts";

const NOT_FOUND = "Não encontramos este pagamento.";

// The title of a tab in the background shows that the payment arrived.
export const meta: Route.MetaFunction = ({ loaderData }) => [
  { title: `${loaderData ? chargeHeadline(loaderData) : "Pagamento"} · Coreto` },
];

export async function loader({ request, params, context }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const member = context.get(memberContext);
  const charge = foundOr404(
    await checkoutCharge(ctx, { memberId: member.id, chargeId: params.chargeId }),
    NOT_FOUND,
  );
  if (charge.isDebt) throw redirect(`/settings/transfers/debt/${charge.id}`);
  const bought = pageOfPaid(charge);
  if (bought)
    throw await redirectWithToast(request, bought.path, {
      kind: "success",
      message: bought.message,
    });
  return {
    ...(await chargeView(ctx, charge, { request, member })),
    usernameOffer: isRefundable(charge.status) ? usernameOffer(context) : null,
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
  const title = chargeHeadline(charge);
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
        <ChargeOutcome charge={charge} answer={actionData?.answer ?? null} />
        {charge.otherWays ? <OtherWays {...charge.otherWays} /> : null}
      </div>
      {charge.isWelcome ? <SuggestedCreators people={charge.people} /> : null}
      {charge.usernameOffer ? (
        <UsernameOffer {...charge.usernameOffer} to={`/checkout/${charge.id}`} />
      ) : null}
    </CheckoutFrame>
  );
}
