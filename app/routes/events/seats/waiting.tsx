import { JoinForm } from "#app/components/events/seats/seat-panel.tsx";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { FormMessage } from "#app/components/ui/fields/form-message.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { joinWaitingList } from "#app/domain/events/seats/commands.server.ts";
import { waitingProblem } from "#app/domain/events/rules.ts";
import { quantitySchema } from "#app/domain/events/schema.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import { handleForm } from "#app/http/form.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import { memberEvent } from "#app/routes/events/event-page.server.ts";
import type { Route } from "./+types/waiting.ts";

export const meta: Route.MetaFunction = () => [{ title: "Entrar na fila · Coreto" }];

export async function loader(args: Route.LoaderArgs) {
  const event = await memberEvent(args);
  const now = args.context.get(domainContext).now();
  return { event, canWait: waitingProblem(event, 1, now) === null };
}

export async function action({ request, context, params }: Route.ActionArgs) {
  const personId = context.get(memberContext).id;
  return handleForm(request, quantitySchema, async ({ quantity }) => {
    await joinWaitingList(context.get(domainContext), { eventId: params.id, personId, quantity });
    return redirectWithToast(request, `/events/${params.id}`, {
      kind: "success",
      message: "Você está na fila. Avisamos quando chegar a sua vez.",
    });
  });
}

/** Shows a refusal, or the form to who opens the address directly. */
export default function Waiting({ loaderData, actionData, params }: Route.ComponentProps) {
  const problem = actionData?.message ?? actionData?.errors["quantity"];
  return (
    <div className="flex flex-col gap-4">
      <PageHeader
        title={problem ? "Não deu para entrar na fila" : "Entrar na fila"}
        lead={loaderData.event.title}
      />
      <FormMessage message={problem} />
      {loaderData.canWait ? (
        <Card className="flex flex-col gap-4 p-5">
          <JoinForm event={loaderData.event} />
        </Card>
      ) : null}
      <ButtonLink to={`/events/${params.id}`} variant="outline" className="self-start">
        Voltar ao evento
      </ButtonLink>
    </div>
  );
}
