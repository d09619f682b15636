import { Form, redirect, useNavigation } from "react-router";
import { z } from "zod";
import { CheckoutFrame } from "#app/components/checkout/checkout-frame.tsx";
import { OrderSummary } from "#app/components/checkout/order/order-summary.tsx";
import { Button, ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { FormMessage } from "#app/components/ui/fields/form-message.tsx";
import { mediaUrl } from "#app/domain/media/rules.ts";
import { ProviderUnclear } from "#app/domain/payments/errors.ts";
import { checkoutCharge } from "#app/domain/payments/charges/queries/checkout.server.ts";
import { isUnpaid } from "#app/domain/payments/rules.ts";
import { abandonPayment } from "#app/domain/purchases/checkout/commands/payer-requests.server.ts";
import { decideAbandonment } from "#app/domain/purchases/checkout/rules.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import { handleForm } from "#app/http/form.ts";
import { foundOr404 } from "#app/http/refusal.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import { chargeTitle } from "./retry.server.ts";
import type { Route } from "./+types/abandonment.ts";

export const meta: Route.MetaFunction = () => [{ title: "Desistir do pagamento · Coreto" }];

async function chargeOf({ params, context }: Pick<Route.LoaderArgs, "params" | "context">) {
  return foundOr404(
    await checkoutCharge(context.get(domainContext), {
      memberId: context.get(memberContext).id,
      chargeId: params.chargeId,
    }),
    "Não encontramos este pagamento.",
  );
}

export async function loader(asked: Route.LoaderArgs) {
  const charge = await chargeOf(asked);
  if (decideAbandonment(charge) !== "cancel_charge") throw redirect(`/checkout/${charge.id}`);
  return {
    id: charge.id,
    isPix: charge.pixCode !== null,
    summary: {
      ...chargeTitle(charge),
      amountCents: charge.amountCents,
      creatorName: charge.creatorName,
      creatorUsername: charge.creatorUsername,
      creatorAvatarUrl: charge.creatorAvatarMediaId
        ? mediaUrl(charge.creatorAvatarMediaId, "320")
        : null,
      seller: charge.seller,
    },
  };
}

export async function action({ request, params, context }: Route.ActionArgs) {
  const ctx = context.get(domainContext);
  const charge = await chargeOf({ params, context });
  return await handleForm(request, z.object({}), async () => {
    const page = `/checkout/${charge.id}`;
    try {
      const status = await abandonPayment(ctx, {
        memberId: context.get(memberContext).id,
        chargeId: charge.id,
      });
      if (!isUnpaid(status)) return redirect(page, 303);
    } catch (error) {
      if (!(error instanceof ProviderUnclear)) throw error;
      return await redirectWithToast(request, page, {
        kind: "error",
        message: "O banco não respondeu agora. Tente de novo em um minuto.",
      });
    }
    return await redirectWithToast(request, `/space/${charge.creatorUsername}`, {
      kind: "success",
      message: "Você desistiu deste pagamento, e nada foi cobrado.",
    });
  });
}

export default function Abandonment({ loaderData, actionData }: Route.ComponentProps) {
  const isBusy = useNavigation().state !== "idle";
  return (
    <CheckoutFrame
      summary={<OrderSummary {...loaderData.summary} renews={null} nextChargeAt={null} />}
      summaryFirst={false}
    >
      <h1 className="text-title sm:text-display">Desistir deste pagamento?</h1>
      <Card className="p-5 sm:p-6">
        <Form method="post" className="flex flex-col gap-5">
          <FormMessage message={actionData?.message} />
          <p>
            Nada foi cobrado.{" "}
            {loaderData.isPix
              ? "O código Pix deixa de valer: se alguém ainda pagar por ele, devolvemos."
              : "A página do cartão deixa de valer."}
          </p>
          <div className="flex flex-wrap gap-2">
            <Button disabled={isBusy}>Desistir do pagamento</Button>
            <ButtonLink to={`/checkout/${loaderData.id}`} variant="outline">
              Voltar ao pagamento
            </ButtonLink>
          </div>
        </Form>
      </Card>
    </CheckoutFrame>
  );
}
