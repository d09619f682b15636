import { redirect } from "react-router";
import { z } from "zod";
import { JoinForm, TakeForm } from "#app/components/events/seats/seat-panel.tsx";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { useFirstError } from "#app/components/ui/fields/use-first-error.ts";
import { FormMessage } from "#app/components/ui/fields/form-message.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { chooseTickets } from "#app/domain/events/tickets/commands/orders.server.ts";
import { takeSeats } from "#app/domain/events/seats/commands.server.ts";
import { ticketKindsOf } from "#app/domain/events/tickets/queries/ticket-kinds.server.ts";
import { questionsOf } from "#app/domain/events/questions/queries.server.ts";
import { answersSchema } from "#app/domain/events/questions/schema.ts";
import { seatProblem, waitingProblem } from "#app/domain/events/rules.ts";
import type { Context } from "#app/domain/context.ts";
import { seatSchema } from "#app/domain/events/schema.ts";
import { nounFor } from "#app/domain/text.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import { handleForm } from "#app/http/form.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import { linkMarkOf, withLinkMark } from "#app/lib/link-mark.ts";
import { memberEvent } from "#app/routes/events/event-page.server.ts";
import type { Route } from "./+types/seat.ts";

export const meta: Route.MetaFunction = () => [{ title: "Pegar vaga · Coreto" }];

export async function loader(args: Route.LoaderArgs) {
  const event = await memberEvent(args);
  const now = args.context.get(domainContext).now();
  return {
    event,
    now,
    canTake: event.payment === null && seatProblem(event, 1, now) === null,
    canWait: event.payment === null && !event.isWaiting && waitingProblem(event, 1, now) === null,
  };
}

export async function action({ request, context, params, url }: Route.ActionArgs) {
  const personId = context.get(memberContext).id;
  const ctx = context.get(domainContext);
  const questions = await questionsOf(ctx, { eventId: params.id });
  const schema = z.intersection(seatSchema, answersSchema(questions));
  return handleForm(request, schema, async ({ quantity, kindId, names, answers }) => {
    const chosen = { eventId: params.id, personId, quantity, names, answers };
    if (kindId !== null && (await isPaidKind(ctx, { eventId: params.id, kindId }))) {
      const { orderId } = await chooseTickets(ctx, { ...chosen, kindId });
      return redirect(
        withLinkMark(`/checkout?event=${orderId}`, linkMarkOf(url.searchParams)),
        303,
      );
    }
    await takeSeats(ctx, { ...chosen, kindId });
    return redirectWithToast(request, `/events/${params.id}/ticket`, {
      kind: "success",
      message: `Você vai! ${nounFor(quantity, "A vaga é sua.", "As vagas são suas.")}`,
    });
  });
}

async function isPaidKind(
  ctx: Context,
  { eventId, kindId }: { eventId: string; kindId: string },
): Promise<boolean> {
  const kinds = await ticketKindsOf(ctx, { eventId });
  return kinds.some(({ id, priceCents }) => id === kindId && priceCents > 0);
}

/** Shows a refused "Vou" with the waiting list beside it, or the form to who opens the address. */
export default function Seat({ loaderData, actionData, params }: Route.ComponentProps) {
  const { event, now, canTake, canWait } = loaderData;
  useFirstError(actionData);
  const problem =
    actionData?.message ??
    actionData?.errors["kindId"] ??
    actionData?.errors["quantity"] ??
    actionData?.errors["names"];
  return (
    <div className="flex flex-col gap-4">
      <PageHeader title={problem ? "Não deu para pegar a vaga" : "Pegar vaga"} lead={event.title} />
      <FormMessage message={problem} link={actionData?.link} />
      {canTake || canWait ? (
        <Card className="flex flex-col gap-4 p-5">
          {canTake ? (
            <TakeForm event={event} now={now} typed={actionData} />
          ) : (
            <JoinForm event={event} />
          )}
        </Card>
      ) : null}
      <ButtonLink to={`/events/${params.id}`} variant="outline" className="self-start">
        Voltar ao evento
      </ButtonLink>
    </div>
  );
}
