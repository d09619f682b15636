import { Form, redirect, useNavigation } from "react-router";
import { z } from "zod";
import { CoolingOffRefundText } from "#app/components/payments/cooling-off-refund.tsx";
import { Button, ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { FormMessage } from "#app/components/ui/fields/form-message.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { requestPaymentCoolingOffRefund } from "#app/domain/billing/refunds/commands/cooling-off.server.ts";
import { coolingOffQuote } from "#app/domain/billing/refunds/queries/cooling-off.server.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import { handleForm } from "#app/http/form.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import { loadTransactionForViewer } from "#app/http/money/transaction.server.ts";
import type { Route } from "./+types/transaction-withdrawal.ts";

export const meta: Route.MetaFunction = () => [{ title: "Desistir da compra · Coreto" }];

export async function loader({ params, context }: Route.LoaderArgs) {
  const { charge, isInCoolingOff, isUpcoming } = await loadTransactionForViewer(
    { context },
    params.id,
  );
  if (!isInCoolingOff) throw redirect(`/settings/transactions/${params.id}`);
  return {
    id: charge.id,
    kind: charge.purchaseKind,
    description: charge.description,
    isUpcoming,
    ...(await coolingOffQuote(context.get(domainContext), { chargeId: charge.id })),
  };
}

export async function action({ request, params, context }: Route.ActionArgs) {
  return await handleForm(request, z.object({}), async () => {
    await requestPaymentCoolingOffRefund(context.get(domainContext), {
      payerId: context.get(memberContext).id,
      chargeId: params.id,
    });
    return await redirectWithToast(request, `/settings/transactions/${params.id}`, {
      kind: "success",
      message: "Pronto: tudo volta para você.",
    });
  });
}

export default function TransactionCoolingOff({
  loaderData: { id, kind, description, isUpcoming, ...returned },
  actionData,
}: Route.ComponentProps) {
  const isBusy = useNavigation().state !== "idle";
  return (
    <>
      <PageHeader title="Desistir e receber tudo de volta?" lead={description} />
      <Card className="p-5 sm:p-6">
        <Form method="post" className="flex flex-col gap-5">
          <FormMessage message={actionData?.message} />
          <p>
            {isUpcoming ? "A assinatura ainda não começou" : "Você está nos 7 primeiros dias"}:{" "}
            <CoolingOffRefundText {...returned} isRest={kind !== "plan_change"} />
            {returned.backCents === 0 ? "" : ", sem perguntar por quê"}
            {kind === "tip"
              ? ""
              : kind === "gift"
                ? ". O presente deixa de valer; se alguém já o abriu, o acesso termina e avisamos"
                : kind === "plan_change"
                  ? ", e a assinatura volta agora para o plano de antes. Se o período dele já acabou, ela termina"
                  : isUpcoming
                    ? ", e ela não começa"
                    : ", e o acesso termina agora"}
            .
          </p>
          <div className="flex flex-wrap gap-2">
            <Button variant="danger" disabled={isBusy}>
              Desistir e receber de volta
            </Button>
            <ButtonLink to={`/settings/transactions/${id}`} variant="outline">
              {kind === "tip"
                ? "Manter o apoio"
                : kind === "gift"
                  ? "Manter o presente"
                  : kind === "plan_change"
                    ? "Ficar no plano novo"
                    : "Ficar com ela"}
            </ButtonLink>
          </div>
        </Form>
      </Card>
    </>
  );
}
