import { EventForm } from "#app/components/events/event-form.tsx";
import { RepeatFields } from "#app/components/events/series/repeat-fields.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { createEvent, publishEvent } from "#app/domain/events/commands.server.ts";
import { createSeries } from "#app/domain/events/series/commands/dates.server.ts";
import { DatesOnlyShown } from "#app/domain/events/series/errors.ts";
import { newEventSchema } from "#app/domain/events/series/schema.ts";
import { requireWriter, submitForSpace } from "#app/http/acting.server.ts";
import { domainContext } from "#app/http/contexts.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import type { FormProblem } from "#app/lib/form-problem.ts";
import { datesPreview } from "#app/routes/events/series/dates-preview.server.ts";
import { eventInputOf, eventPlans } from "./event-page.server.ts";
import type { Route } from "./+types/event-create.ts";

const EMPTY = {};

export const meta: Route.MetaFunction = () => [{ title: "Criar evento · Coreto" }];

export async function loader({ context }: Route.LoaderArgs) {
  const { space } = requireWriter({ context }, "events:manage");
  return { plans: await eventPlans(context.get(domainContext), { creatorId: space.personId }) };
}

export async function action({ request, context }: Route.ActionArgs) {
  const ctx = context.get(domainContext);
  const answer = await submitForSpace(
    { request, context },
    "events:manage",
    newEventSchema,
    async ({ rule, preview, ...form }, actor) => {
      if (preview) throw new DatesOnlyShown();
      const creatorId = actor.space.personId;
      const input = { creatorId, ...(await eventInputOf(form)) };
      const { eventId } = await (rule === null
        ? createEvent(ctx, input)
        : createSeries(ctx, { ...input, rule }));
      if (form.publish) await publishEvent(ctx, { eventId, creatorId });
      return redirectWithToast(request, `/events/${eventId}`, {
        kind: "success",
        message: form.publish ? "Evento publicado." : "Rascunho salvo. Ninguém mais vê ainda.",
      });
    },
  );
  if (answer instanceof Response) return answer;
  return { ...answer, data: { ...answer.data, dates: datesOf(answer.data) } };
}

/** The dates of a form that is shown again, for readers without JavaScript. */
const datesOf = ({ values }: FormProblem) =>
  datesPreview({ ...values, weekdays: (values["weekdays"] ?? "").split("\n").filter(Boolean) });

export default function EventCreate({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <>
      <PageHeader title="Criar evento" lead="Uma live, uma aula, um ensaio aberto, um encontro." />
      <Card className="p-5 sm:p-6">
        <EventForm
          values={EMPTY}
          coverMediaId={null}
          plans={loaderData.plans}
          problem={actionData}
          isPublished={false}
          dates={
            <RepeatFields
              values={actionData?.values ?? EMPTY}
              errors={actionData?.errors ?? EMPTY}
              shown={actionData?.dates ?? null}
            />
          }
        />
      </Card>
    </>
  );
}
