import { RequestReply } from "#app/components/events/requests/request-reply.tsx";
import { approveRequest } from "#app/domain/events/requests/commands.server.ts";
import { answerRequest, loadRequester } from "./request-decision.server.ts";
import type { Route } from "./+types/request-approval.ts";

export const meta: Route.MetaFunction = () => [{ title: "Aprovar pedido · Coreto" }];

export const loader = (args: Route.LoaderArgs) => loadRequester(args);

export const action = (args: Route.ActionArgs) =>
  answerRequest(args, approveRequest, "Pedido aprovado. Avisamos a pessoa.");

export default function RequestApproval({ loaderData, actionData, params }: Route.ComponentProps) {
  return (
    <RequestReply
      heading="Aprovar pedido"
      name={loaderData.name}
      means="A vaga é da pessoa, e avisamos. Num ingresso pago, ela tem 12 horas, ou até o começo, para comprar."
      label="Aprovar"
      variant="primary"
      backTo={`/events/${params.id}/requests`}
      problem={actionData}
    />
  );
}
