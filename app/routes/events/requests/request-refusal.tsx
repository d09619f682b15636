import { RequestReply } from "#app/components/events/requests/request-reply.tsx";
import { refuseRequest } from "#app/domain/events/requests/commands.server.ts";
import { answerRequest, loadRequester } from "./request-decision.server.ts";
import type { Route } from "./+types/request-refusal.ts";

export const meta: Route.MetaFunction = () => [{ title: "Recusar pedido · Coreto" }];

export const loader = (args: Route.LoaderArgs) => loadRequester(args);

export const action = (args: Route.ActionArgs) =>
  answerRequest(args, refuseRequest, "Pedido recusado. Avisamos a pessoa.");

export default function RequestRefusal({ loaderData, actionData, params }: Route.ComponentProps) {
  return (
    <RequestReply
      heading="Recusar pedido"
      name={loaderData.name}
      means="Avisamos a pessoa, e ela não pede de novo. Você ainda pode aprovar depois."
      label="Recusar"
      variant="danger"
      backTo={`/events/${params.id}/requests`}
      problem={actionData}
    />
  );
}
