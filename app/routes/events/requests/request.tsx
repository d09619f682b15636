import { z } from "zod";
import { RequestForm } from "#app/components/events/requests/request-panel.tsx";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { FormMessage } from "#app/components/ui/fields/form-message.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { useFirstError } from "#app/components/ui/fields/use-first-error.ts";
import { questionsOf } from "#app/domain/events/questions/queries.server.ts";
import { answersSchema } from "#app/domain/events/questions/schema.ts";
import { requestSeats } from "#app/domain/events/requests/commands.server.ts";
import { requestProblem } from "#app/domain/events/requests/rules.ts";
import { seatSchema } from "#app/domain/events/schema.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import { handleForm } from "#app/http/form.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import { memberEvent } from "#app/routes/events/event-page.server.ts";
import type { Route } from "./+types/request.ts";

export const meta: Route.MetaFunction = () => [{ title: "Pedir vaga · Coreto" }];

export async function loader(args: Route.LoaderArgs) {
  const event = await memberEvent(args);
  const now = args.context.get(domainContext).now();
  return { event, now, canAsk: requestProblem(event, 1, now) === null };
}

export async function action({ request, context, params }: Route.ActionArgs) {
  const personId = context.get(memberContext).id;
  const ctx = context.get(domainContext);
  const questions = await questionsOf(ctx, { eventId: params.id });
  const schema = z.intersection(seatSchema, answersSchema(questions));
  return handleForm(request, schema, async (form) => {
    await requestSeats(ctx, { ...form, eventId: params.id, personId });
    return redirectWithToast(request, `/events/${params.id}`, {
      kind: "success",
      message: "Pedido enviado. Avisamos quando houver resposta.",
    });
  });
}

/** Shows a refused "Pedir vaga", or the form to who opens the address. */
export default function Request({ loaderData, actionData, params }: Route.ComponentProps) {
  const { event, now, canAsk } = loaderData;
  useFirstError(actionData);
  const problem =
    actionData?.message ?? actionData?.errors["kindId"] ?? actionData?.errors["quantity"];
  return (
    <div className="flex flex-col gap-4">
      <PageHeader title="Pedir vaga" lead={event.title} />
      <FormMessage message={problem} link={actionData?.link} />
      {canAsk ? (
        <Card className="flex flex-col gap-4 p-5">
          <RequestForm event={event} now={now} typed={actionData} />
        </Card>
      ) : null}
      <ButtonLink to={`/events/${params.id}`} variant="outline" className="self-start">
        Voltar ao evento
      </ButtonLink>
    </div>
  );
}
