import { CheckoutFrame } from "#app/components/checkout/checkout-frame.tsx";
import { SellerNotice } from "#app/components/checkout/order/order-summary.tsx";
import { GuestFields } from "#app/components/checkout/payer/guest-fields.tsx";
import { PayerField } from "#app/components/checkout/payer/payer-field.tsx";
import { SignInFirst } from "#app/components/checkout/sign-in-first.tsx";
import { TipForm } from "#app/components/tips/tip-form.tsx";
import { Avatar } from "#app/components/ui/avatar.tsx";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { EmptyState } from "#app/components/ui/empty.tsx";
import { mediaUrl } from "#app/domain/media/rules.ts";
import {
  isMethodOffered,
  acquirerCardFieldUrl,
} from "#app/domain/payments/providers/rules/providers.ts";
import { renewsBySavedMethod } from "#app/domain/payments/methods/rules.ts";
import { methodsForPrice, MINIMUM_CARD_CENTS } from "#app/domain/plans/rules.ts";
import { tipTarget } from "#app/domain/purchases/tips/queries.server.ts";
import { MAXIMUM_TIP_CENTS } from "#app/domain/purchases/tips/schema.ts";
import { foundOrAgeGate } from "#app/http/age-gate.server.ts";
import { guestView } from "#app/http/checkout/guest-view.server.ts";
import { payerView } from "#app/http/checkout/payer-view.ts";
import { submitPayment } from "#app/http/checkout/pay.server.ts";
import { methodsNeedingTaxId } from "#app/http/checkout/payment.server.ts";
import { offeredCards } from "#app/http/checkout/saved-cards.server.ts";
import { domainContext, viewerContext } from "#app/http/contexts.ts";
import { memberOrGuest } from "#app/http/require-member.ts";
import type { Route } from "./+types/tip.ts";

// The checkout has no menu beside it.
export const handle = { shell: "bare" };

export const meta: Route.MetaFunction = ({ loaderData }) => [
  { title: `${loaderData ? `Apoiar ${loaderData.creator.name}` : "Apoiar uma vez"} · Coreto` },
];

export const middleware: Route.MiddlewareFunction[] = [memberOrGuest];

export async function loader({ request, context, params, url }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const viewer = context.get(viewerContext);
  const target = await tipTarget(ctx, { key: params.id, memberId: viewer?.id ?? null });
  const { id, avatarMediaId, seller, ...creator } = await foundOrAgeGate(
    ctx,
    target,
    "Esta página não existe ou não recebe apoios.",
    { kind: "page", id: params.id, viewer },
  );
  const methods = methodsForPrice(MAXIMUM_TIP_CENTS).filter((method) =>
    isMethodOffered(method, ctx),
  );
  return {
    creator: { ...creator, avatarUrl: avatarMediaId ? mediaUrl(avatarMediaId, "320") : null },
    seller,
    isOwn: id === viewer?.id,
    methods,
    cards:
      viewer && methods.some(renewsBySavedMethod)
        ? await offeredCards(ctx, { personId: viewer.id })
        : [],
    cardFieldUrl: acquirerCardFieldUrl(ctx.payments),
    minimumCardCents: MINIMUM_CARD_CENTS,
    guest: await guestView({ request, context, url }),
    ...payerView(context),
    taxIdFor: viewer ? await methodsNeedingTaxId(ctx, { personId: viewer.id }) : [],
  };
}

export async function action(posted: Route.ActionArgs) {
  return await submitPayment(posted);
}

export default function TipPage({ loaderData, actionData }: Route.ComponentProps) {
  const { creator, seller, isOwn, guest, payerId, unsent, ...form } = loaderData;
  const problem = actionData ?? unsent ?? undefined;
  const path = `/space/${creator.username}`;
  if (form.methods.length === 0) {
    return (
      <EmptyState
        title="Não dá para apoiar agora"
        action={<ButtonLink to={path}>Voltar para a página</ButtonLink>}
      >
        Nenhuma forma de pagamento está no ar. Volte mais tarde.
      </EmptyState>
    );
  }
  if (isOwn) {
    return (
      <EmptyState
        title="Aqui chegam os seus apoios"
        action={
          <ButtonLink to={`${path}/public`} reloadDocument>
            Ver a página como visitante
          </ButtonLink>
        }
      >
        Esta página é sua: quem apoia são os outros. Compartilhe o endereço dela.
      </EmptyState>
    );
  }
  return (
    <CheckoutFrame summary={<Summary creator={creator} seller={seller} />}>
      <header className="flex flex-col gap-2">
        <h1 className="text-title wrap-anywhere sm:text-display">Apoiar {creator.name}</h1>
        <p className="text-muted">Uma vez, quanto você quiser. Nada renova.</p>
      </header>
      {guest && !guest.mayPay ? (
        <SignInFirst {...guest} />
      ) : (
        <TipForm
          {...form}
          cardFieldUrl={guest ? null : form.cardFieldUrl}
          creatorName={creator.name}
          values={problem?.values ?? {}}
          problem={problem}
          who={
            guest ? (
              <GuestFields
                loginPath={guest.loginPath}
                values={{ ...guest.values, ...actionData?.values }}
                errors={actionData?.errors ?? {}}
              />
            ) : (
              <PayerField payerId={payerId} />
            )
          }
          isGuest={guest !== null}
        />
      )}
      <SellerNotice seller={seller} className="lg:hidden" />
    </CheckoutFrame>
  );
}

function Summary({
  creator,
  seller,
}: Pick<Route.ComponentProps["loaderData"], "creator" | "seller">) {
  return (
    <Card as="section" label="Resumo" className="flex flex-col gap-4 p-5">
      <div className="flex items-center gap-3">
        <Avatar name={creator.name} src={creator.avatarUrl} size="lg" />
        <div className="min-w-0">
          <p className="font-semibold wrap-anywhere">{creator.name}</p>
          <p className="text-small text-muted">Apoio · um pagamento só</p>
        </div>
      </div>
      <p className="text-small text-muted">
        Nos 7 primeiros dias, se mudar de ideia, devolvemos tudo.
      </p>
      <SellerNotice seller={seller} className="hidden border-t border-line pt-3 lg:block" />
    </Card>
  );
}
