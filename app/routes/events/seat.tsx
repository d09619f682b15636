import { JoinForm, TakeForm } from "#app/components/events/seat-panel.tsx";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { FormMessage } from "#app/components/ui/form-message.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { takeSeats } from "#app/domain/events/commands/seats.server.ts";
import { seatProblem, waitingProblem } from "#app/domain/events/rules.ts";
import { quantitySchema } from "#app/domain/events/schema.ts";
import { nounFor } from "#app/domain/text.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import { handleForm } from "#app/http/form.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import { memberEvent } from "./event-page.server.ts";
import type { Route } from "./+types/seat.ts";

export const meta: Route.MetaFunction = () => [{ title: "Pegar vaga · Coreto" }];

export async function loader(args: Route.LoaderArgs) {
  const event = await memberEvent(args);
  const now = args.context.get(domainContext).now();
  return {
    event,
    now,
    canTake: seatProblem(event, 1, now) === null,
    canWait: !event.isWaiting && waitingProblem(event, 1, now) === null,
  };
}

export async function action({ request, context, params }: Route.ActionArgs) {
  const personId = context.get(memberContext).id;
  return handleForm(request, quantitySchema, async ({ quantity }) => {
    await takeSeats(context.get(domainContext), { eventId: params.id, personId, quantity });
    return redirectWithToast(request, `/events/${params.id}/ticket`, {
      kind: "success",
      message: `Você vai! ${nounFor(quantity, "A vaga é sua.", "As vagas são suas.")}`,
    });
  });
}

/** Shows a refused "Vou" with the waiting list beside it, or the form to who opens the address. */
export default function Seat({ loaderData, actionData, params }: Route.ComponentProps) {
  const { event, now, canTake, canWait } = loaderData;
  const problem = actionData?.message ?? actionData?.errors["quantity"];
  return (
    <div className="flex flex-col gap-4">
      <PageHeader title={problem ? "Não deu para pegar a vaga" : "Pegar vaga"} lead={event.title} />
      <FormMessage message={problem} />
      {canTake || canWait ? (
        <Card className="flex flex-col gap-4 p-5">
          {canTake ? <TakeForm event={event} now={now} /> : <JoinForm event={event} />}
        </Card>
      ) : null}
      <ButtonLink to={`/events/${params.id}`} variant="outline" className="self-start">
        Voltar ao evento
      </ButtonLink>
    </div>
  );
}
