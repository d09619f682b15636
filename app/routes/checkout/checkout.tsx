import { data, redirect } from "react-router";
import { StartsLater } from "#app/components/checkout/order/starts-later.tsx";
import { CheckoutFrame } from "#app/components/checkout/checkout-frame.tsx";
import { CheckoutObstacle } from "#app/components/checkout/checkout-obstacle.tsx";
import { GuestFields } from "#app/components/checkout/payer/guest-fields.tsx";
import { PayerField } from "#app/components/checkout/payer/payer-field.tsx";
import { OrderChoices } from "#app/components/checkout/order/order-choices.tsx";
import { OrderSummary, SellerNotice } from "#app/components/checkout/order/order-summary.tsx";
import { PaymentForm } from "#app/components/checkout/payment-form.tsx";
import { pixOnlyText } from "#app/components/checkout/pix/pix-only-text.ts";
import { SignInFirst } from "#app/components/checkout/sign-in-first.tsx";
import { foundOrAgeGate } from "#app/http/age-gate.server.ts";
import { guestView } from "#app/http/checkout/guest-view.server.ts";
import { originPostHeaders } from "#app/http/checkout/origin-post.server.ts";
import { payerView } from "#app/http/checkout/payer-view.ts";
import { submitPayment, rateLimitSubject } from "#app/http/checkout/pay.server.ts";
import { methodsNeedingTaxId } from "#app/http/checkout/payment.server.ts";
import { parseCheckoutTarget } from "#app/http/checkout/checkout-target.ts";
import { domainContext, viewerContext } from "#app/http/contexts.ts";
import { memberOrGuest } from "#app/http/require-member.ts";
import { loginPath } from "#app/lib/own-path.ts";
import { checkoutShown } from "./checkout-view.server.ts";
import type { Route } from "./+types/checkout.ts";

const NOT_SOLD = {
  plan: "Este plano não existe ou não está à venda.",
  post: "Esta publicação não existe ou não está à venda.",
  collection: "Esta coleção não existe ou não está à venda.",
  message: "Esta mensagem não existe ou não está à venda.",
  event: "Estes ingressos não existem ou não estão à venda.",
};

export const middleware: Route.MiddlewareFunction[] = [memberOrGuest];

export const meta: Route.MetaFunction = ({ loaderData }) => [
  {
    title: loaderData
      ? `${loaderData.verb} ${loaderData.summary.title}, de ${loaderData.summary.creatorName} · Coreto`
      : "Pagar · Coreto",
  },
];

export async function loader({ request, context, url }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const viewer = context.get(viewerContext);
  const wanted = parseCheckoutTarget(request.url);
  if (wanted.targetId === "") throw redirect("/checkout/empty");
  // Only somebody of the conversation knows of its messages, and an order is one person's.
  if ((wanted.kind === "message" || wanted.kind === "event") && !viewer)
    throw redirect(loginPath(url.pathname + url.search));
  const shown = await checkoutShown(ctx, {
    memberId: viewer?.id ?? null,
    triedBy: await rateLimitSubject(request, context),
    wanted,
  });
  const sold = await foundOrAgeGate(ctx, shown, NOT_SOLD[wanted.kind], {
    kind: wanted.kind,
    id: wanted.targetId,
    viewer,
  });
  const headers = originPostHeaders(request.url);
  return data(
    {
      ...sold,
      ...payerView(context),
      link: wanted.kind === "plan" ? wanted.link : null,
      guest: await guestView({ request, context, url }),
      taxIdFor: viewer
        ? await methodsNeedingTaxId(ctx, { personId: viewer.id, trial: sold.trial })
        : [],
    },
    headers && { headers },
  );
}

export async function action(posted: Route.ActionArgs) {
  return await submitPayment(posted);
}

export default function Checkout({ loaderData, actionData }: Route.ComponentProps) {
  const { summary, obstacle, plan, verb, guest } = loaderData;
  return (
    <CheckoutFrame
      summary={
        <OrderSummary
          {...summary}
          sumWord={obstacle ? "Preço" : undefined}
          nextChargeAt={obstacle ? null : summary.nextChargeAt}
          sellerBelow={!obstacle}
          discount={loaderData.coupon?.discount ?? null}
          trial={loaderData.trial}
          debitOn={loaderData.automatic?.debitOn ?? null}
        />
      }
    >
      <header className="flex flex-col gap-2">
        {/* On a phone the receipt above has just said it. */}
        <p className="hidden text-muted wrap-anywhere lg:block">{loaderData.what}</p>
        <h1 className="text-title sm:text-display">
          {obstacle
            ? verb
            : loaderData.trial
              ? "Comece grátis e já pode entrar"
              : loaderData.beginsAt
                ? "Assine agora, e siga sem intervalo"
                : plan
                  ? "Assine e já pode entrar"
                  : loaderData.kind === "event"
                    ? "Compre e garanta a vaga"
                    : "Compre uma vez, e é sua"}
        </h1>
      </header>
      {obstacle ? (
        <CheckoutObstacle
          {...loaderData}
          obstacle={obstacle}
          creatorName={summary.creatorName}
          live={plan?.live ?? null}
        />
      ) : guest && !guest.mayPay ? (
        <SignInFirst {...guest} />
      ) : (
        <>
          {loaderData.beginsAt && summary.nextChargeAt ? (
            <StartsLater
              beginsAt={loaderData.beginsAt}
              endsAt={summary.nextChargeAt}
              creatorName={summary.creatorName}
            />
          ) : null}
          <PaymentForm
            key={[
              plan?.id ?? loaderData.path,
              loaderData.trial?.days ?? 0,
              ...loaderData.cards.map(({ id }) => id),
            ].join(" ")}
            planPriceId={plan?.priceId ?? null}
            periods={loaderData.ahead?.chosen?.count ?? 1}
            trial={loaderData.trial}
            beginsAt={loaderData.beginsAt}
            amountCents={loaderData.todayCents}
            coupon={loaderData.coupon?.discount ? loaderData.coupon.code : null}
            methods={loaderData.methods}
            pixOnly={pixOnlyText({
              methods: loaderData.methods,
              amountCents: loaderData.todayCents,
              isPrepaid: Boolean(loaderData.ahead?.chosen),
            })}
            automatic={loaderData.automatic}
            hasWallets={loaderData.hasWallets}
            cards={loaderData.cards}
            cardFieldUrl={guest ? null : loaderData.cardFieldUrl}
            problem={actionData ?? loaderData.unsent ?? undefined}
            isGuest={guest !== null}
            loginPath={guest?.loginPath ?? null}
            taxIdFor={loaderData.taxIdFor}
            who={
              guest ? (
                <GuestFields
                  loginPath={guest.loginPath}
                  values={{ ...guest.values, ...actionData?.values }}
                  errors={actionData?.errors ?? {}}
                />
              ) : (
                <PayerField payerId={loaderData.payerId} />
              )
            }
          />
          {plan ? (
            <OrderChoices
              {...loaderData}
              plan={plan}
              renews={summary.renews}
              couponError={actionData?.errors.coupon}
            />
          ) : null}
          {loaderData.kind === "event" ? (
            <p className="text-small text-muted">
              A vaga fica guardada para você enquanto o pagamento puder ser feito. Se ele chegar
              depois e não houver mais vaga, devolvemos tudo.
            </p>
          ) : null}
          <SellerNotice seller={summary.seller} className="lg:hidden" />
        </>
      )}
    </CheckoutFrame>
  );
}
