import { z } from "zod";
import { ConfirmationPage } from "#app/components/shell/confirmation-page.tsx";
import { Button } from "#app/components/ui/button.tsx";
import { withdrawRequest } from "#app/domain/events/requests/commands.server.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import { handleForm } from "#app/http/form.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import { memberEvent } from "#app/routes/events/event-page.server.ts";
import type { Route } from "./+types/request-withdrawal.ts";

export const meta: Route.MetaFunction = () => [{ title: "Retirar o pedido · Coreto" }];

export async function loader(args: Route.LoaderArgs) {
  return { title: (await memberEvent(args)).title };
}

export async function action({ request, context, params }: Route.ActionArgs) {
  const personId = context.get(memberContext).id;
  return handleForm(request, z.object({}), async () => {
    await withdrawRequest(context.get(domainContext), { eventId: params.id, personId });
    return redirectWithToast(request, `/events/${params.id}`, {
      kind: "success",
      message: "Pedido retirado.",
    });
  });
}

/** Asks first: the answers of the request are erased with it. */
export default function RequestWithdrawal({
  loaderData,
  actionData,
  params,
}: Route.ComponentProps) {
  return (
    <ConfirmationPage
      heading="Retirar o pedido"
      title={loaderData.title}
      means="Quem organiza não vê mais o seu pedido nem as suas respostas. Até o começo, você pode pedir de novo."
      button={<Button variant="danger">Retirar o pedido</Button>}
      backTo={`/events/${params.id}`}
      message={actionData?.message}
    />
  );
}
