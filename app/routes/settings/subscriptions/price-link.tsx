import { data, redirect, useNavigation } from "react-router";
import { PriceAnswerForm } from "#app/components/subscriptions/price-answer.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { answerPriceChangeByLink } from "#app/domain/subscriptions/price-changes/commands/answer.server.ts";
import { PRICE_LINK_EXPIRED_MESSAGE } from "#app/domain/subscriptions/price-changes/errors.ts";
import { openedPriceLink } from "#app/domain/subscriptions/price-changes/queries/consents.server.ts";
import {
  priceAnswerSchema,
  priceLinkSchema,
} from "#app/domain/subscriptions/price-changes/schema.ts";
import { domainContext } from "#app/http/contexts.ts";
import { handleForm } from "#app/http/form.ts";
import { foundOr404 } from "#app/http/refusal.ts";
import { NOINDEX_FORM_HEADERS } from "#app/http/headers/noindex.ts";
import type { Route } from "./+types/price-link.ts";
import { priceAskShown } from "./price-change-view.ts";

export const meta: Route.MetaFunction = () => [{ title: "Preço novo · Coreto" }];

export const headers: Route.HeadersFunction = ({ loaderHeaders }) => loaderHeaders;

/** Shows the form only. Mail scanners open every link, so opening it changes nothing. */
export async function loader({ params, context }: Route.LoaderArgs) {
  const address = foundOr404(
    priceLinkSchema.safeParse(params).data ?? null,
    PRICE_LINK_EXPIRED_MESSAGE,
  );
  const { view } = foundOr404(
    await openedPriceLink(context.get(domainContext), address),
    PRICE_LINK_EXPIRED_MESSAGE,
  );
  const page = view?.mayAnswer
    ? { planName: view.planName, creatorName: view.creatorName, ask: priceAskShown(view) }
    : null;
  return data(
    { page },
    { headers: { ...NOINDEX_FORM_HEADERS, "Cache-Control": "private, no-store" } },
  );
}

export async function action({ request, params, context, url }: Route.ActionArgs) {
  const address = foundOr404(
    priceLinkSchema.safeParse(params).data ?? null,
    PRICE_LINK_EXPIRED_MESSAGE,
  );
  return await handleForm(request, priceAnswerSchema, async ({ answer }) => {
    await answerPriceChangeByLink(context.get(domainContext), { ...address, answer });
    return redirect(url.pathname, { status: 303, headers: NOINDEX_FORM_HEADERS });
  });
}

export default function PriceLink({ loaderData: { page }, actionData }: Route.ComponentProps) {
  const isBusy = useNavigation().state !== "idle";
  return (
    <div className="flex flex-col gap-5">
      <header className="flex flex-col items-start gap-2">
        <h1 className="text-title">
          {page ? `Um preço novo para ${page.planName}` : "Este pedido de preço não vale mais"}
        </h1>
        {page ? (
          <p className="text-muted">{page.creatorName} pergunta, e a escolha é sua.</p>
        ) : null}
      </header>
      <Card className="flex flex-col gap-5 p-5 sm:p-6">
        {page ? (
          <PriceAnswerForm ask={page.ask} message={actionData?.message} isBusy={isBusy} />
        ) : (
          <p role="status">
            {actionData?.message ??
              "Não há o que responder por este link: ou o pedido foi retirado, e a assinatura continua como estava, ou a cobrança com o preço que você aceitou já foi feita. Veja na sua conta, em Ajustes, Assinaturas."}
          </p>
        )}
        <p className="text-small text-muted">
          Este link serve só para esta assinatura e não abre a sua conta.
        </p>
      </Card>
    </div>
  );
}
