import { redirect, useNavigation } from "react-router";
import { PriceAnswerForm } from "#app/components/subscriptions/price-answer.tsx";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { answerPriceChange } from "#app/domain/subscriptions/price-changes/commands/answer.server.ts";
import { fanPriceChange } from "#app/domain/subscriptions/price-changes/queries/consents.server.ts";
import { priceAnswerSchema } from "#app/domain/subscriptions/price-changes/schema.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import { handleForm } from "#app/http/form.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import type { Route } from "./+types/price.ts";
import { priceAskShown } from "./price-change-view.ts";

export const meta: Route.MetaFunction = () => [{ title: "Preço novo · Coreto" }];

export async function loader({ params, context }: Route.LoaderArgs) {
  const view = await fanPriceChange(context.get(domainContext), {
    fanId: context.get(memberContext).id,
    subscriptionId: params.id,
  });
  if (!view?.mayAnswer) throw redirect(`/settings/subscriptions/${params.id}`);
  return {
    id: params.id,
    planName: view.planName,
    creatorName: view.creatorName,
    ask: priceAskShown(view),
  };
}

export async function action({ request, params, context }: Route.ActionArgs) {
  return await handleForm(request, priceAnswerSchema, async ({ askId, answer }) => {
    const path = `/settings/subscriptions/${params.id}`;
    const { needsMandate } = await answerPriceChange(context.get(domainContext), {
      fanId: context.get(memberContext).id,
      subscriptionId: params.id,
      askId,
      answer,
      by: "session",
    });
    // The new price also needs a Pix mandate, so the next page asks for it.
    if (answer === "accepted" && needsMandate)
      return redirect(`${path}/payment-method/automatic`, 303);
    return await redirectWithToast(request, path, {
      kind: "success",
      message: answer === "accepted" ? "Você aceitou o preço novo." : "O preço continua o de hoje.",
    });
  });
}

export default function SubscriptionPrice({
  loaderData: { id, planName, creatorName, ask },
  actionData,
}: Route.ComponentProps) {
  const isBusy = useNavigation().state !== "idle";
  return (
    <>
      <PageHeader
        title={`Um preço novo para ${planName}`}
        lead={`${creatorName} pergunta, e a escolha é sua.`}
      />
      <Card className="flex flex-col items-start gap-5 p-5 sm:p-6">
        <PriceAnswerForm ask={ask} message={actionData?.message} isBusy={isBusy} />
        <ButtonLink to={`/settings/subscriptions/${id}`} variant="ghost" className="-ml-5">
          Ver a assinatura
        </ButtonLink>
      </Card>
    </>
  );
}
