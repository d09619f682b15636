import { HelpLink } from "#app/components/help/help-link.tsx";
import { quoted } from "#app/domain/text.ts";
import { Form, redirect, useNavigation } from "react-router";
import { z } from "zod";
import { methodTexts } from "#app/components/payments/method-words.ts";
import { CoolingOffRefundText } from "#app/components/payments/cooling-off-refund.tsx";
import { Button, ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { FormMessage } from "#app/components/ui/fields/form-message.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { coolingOffQuote } from "#app/domain/billing/refunds/queries/cooling-off.server.ts";
import { requestPurchaseCoolingOffRefund } from "#app/domain/purchases/single-purchases/commands/end.server.ts";
import { buyerPurchase } from "#app/domain/purchases/queries.server.ts";
import { coolingOffRefundProblem } from "#app/domain/purchases/rules.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import { handleForm } from "#app/http/form.ts";
import { foundOr404 } from "#app/http/refusal.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import type { Route } from "./+types/purchase-withdrawal.ts";

export const meta: Route.MetaFunction = () => [{ title: "Desistir da compra · Coreto" }];

export async function loader({ params, context }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const purchase = foundOr404(
    await buyerPurchase(ctx, { personId: context.get(memberContext).id, purchaseId: params.id }),
    "Não encontramos esta compra.",
  );
  if (coolingOffRefundProblem(purchase, { status: purchase.chargeStatus }, ctx.now()) !== null)
    throw redirect(`/settings/purchases/${purchase.id}`);
  const { id, title, method, kind } = purchase;
  return { id, title, method, kind, ...(await coolingOffQuote(ctx, purchase)) };
}

/** Makes the cooling-off refund of a purchase (CDC, art. 49). Asks for no reason. */
export async function action({ request, params, context }: Route.ActionArgs) {
  const ctx = context.get(domainContext);
  return await handleForm(request, z.object({}), async () => {
    await requestPurchaseCoolingOffRefund(ctx, {
      personId: context.get(memberContext).id,
      purchaseId: params.id,
    });
    return await redirectWithToast(request, `/settings/purchases/${params.id}`, {
      kind: "success",
      message: "Compra desfeita. Tudo volta para você.",
    });
  });
}

export default function PurchaseCoolingOff({ loaderData, actionData }: Route.ComponentProps) {
  const isBusy = useNavigation().state !== "idle";
  const { id, title, method, kind, backCents } = loaderData;
  return (
    <>
      <PageHeader title="Desistir da compra?" lead={quoted(title)} />
      <Card className="p-5 sm:p-6">
        <Form method="post" className="flex flex-col gap-5">
          <FormMessage message={actionData?.message} />
          <p>
            Desistindo, <CoolingOffRefundText {...loaderData} />
            {backCents === 0 ? "" : `, ${methodTexts[method].coolingOffRefundedTo}`}
            {kind === "event"
              ? ", e os ingressos deixam de valer agora."
              : ", e o acesso termina agora."}
          </p>
          <div className="flex flex-wrap gap-2">
            <Button variant="danger" disabled={isBusy}>
              Desistir e receber de volta
            </Button>
            <ButtonLink to={`/settings/purchases/${id}`} variant="outline">
              {kind === "event" ? "Ficar com o ingresso" : "Ficar com ela"}
            </ButtonLink>
          </div>
        </Form>
      </Card>
      <HelpLink answer="onde-cai-o-reembolso">Onde e quando cai o reembolso</HelpLink>
    </>
  );
}
