import { redirect } from "react-router";
import { CheckoutFrame } from "#app/components/checkout/checkout-frame.tsx";
import { SellerNotice } from "#app/components/checkout/order-summary.tsx";
import { TipForm } from "#app/components/tips/tip-form.tsx";
import { Avatar } from "#app/components/ui/avatar.tsx";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { EmptyState } from "#app/components/ui/empty.tsx";
import { mediaUrl } from "#app/domain/media/rules.ts";
import { isMethodOffered } from "#app/domain/payments/rules.ts";
import { methodsFor, MINIMUM_CARD_CENTS } from "#app/domain/plans/rules.ts";
import { startTip } from "#app/domain/purchases/commands/tips.server.ts";
import { tipTarget } from "#app/domain/purchases/queries/tips.server.ts";
import { MAXIMUM_TIP_CENTS, tipSchema } from "#app/domain/purchases/schema/tips.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import { submitted } from "#app/http/form.ts";
import { found } from "#app/http/refusal.ts";
import type { Route } from "./+types/tip.ts";

// Paying has nothing beside it.
export const handle = { shell: "bare" };

export const meta: Route.MetaFunction = ({ loaderData }) => [{ title: `${loaderData ? `Apoiar ${loaderData.creator.name}` : "Apoiar uma vez"} · Coreto` }];

export async function loader({ context, params }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const memberId = context.get(memberContext).id;
  const { id, avatarMediaId, seller, ...creator } = found(await tipTarget(ctx, { key: params.id, memberId }), "Esta página não existe ou não recebe apoios.");
  const methods = methodsFor(MAXIMUM_TIP_CENTS).filter((method) => isMethodOffered(method, ctx));
  return {
    creator: { ...creator, avatarUrl: avatarMediaId ? mediaUrl(avatarMediaId, "320") : null },
    seller,
    isOwn: id === memberId,
    methods,
    cardFieldUrl: ctx.payments.cardFieldUrl,
    minimumCardCents: MINIMUM_CARD_CENTS,
  };
}

export async function action({ request, params, context }: Route.ActionArgs) {
  const ctx = context.get(domainContext);
  const member = context.get(memberContext);
  return await submitted(request, tipSchema, async (input) => {
    const { chargeId, nextActionUrl } = await startTip(ctx, { ...input, memberId: member.id, memberName: member.name, creatorKey: params.id });
    // 303: a card without a token is typed, and a 3DS confirmed, on the provider's own page.
    return redirect(nextActionUrl ?? `/checkout/${chargeId}`, 303);
  });
}

export default function TipPage({ loaderData, actionData }: Route.ComponentProps) {
  const { creator, seller, isOwn, ...form } = loaderData;
  const path = `/space/${creator.username}`;
  if (form.methods.length === 0) {
    return (
      <EmptyState title="Não dá para apoiar agora" action={<ButtonLink to={path}>Voltar para a página</ButtonLink>}>
        Nenhuma forma de pagamento está no ar. Volte mais tarde.
      </EmptyState>
    );
  }
  if (isOwn) {
    return (
      <EmptyState title="Aqui chegam os seus apoios" action={<ButtonLink to={`${path}/public`} reloadDocument>Ver a página como visitante</ButtonLink>}>
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
      <TipForm {...form} creatorName={creator.name} values={actionData?.values ?? {}} problem={actionData} />
      <SellerNotice seller={seller} className="lg:hidden" />
    </CheckoutFrame>
  );
}

function Summary({ creator, seller }: Pick<Route.ComponentProps["loaderData"], "creator" | "seller">) {
  return (
    <Card as="section" label="Resumo" className="flex flex-col gap-4 p-5">
      <div className="flex items-center gap-3">
        <Avatar name={creator.name} src={creator.avatarUrl} size="lg" />
        <div className="min-w-0">
          <p className="font-semibold wrap-anywhere">{creator.name}</p>
          <p className="text-small text-muted">Apoio · um pagamento só</p>
        </div>
      </div>
      <p className="text-small text-muted">Nos 7 primeiros dias, se mudar de ideia, devolvemos tudo.</p>
      <SellerNotice seller={seller} className="hidden border-t border-line pt-3 lg:block" />
    </Card>
  );
}
