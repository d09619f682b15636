import { useNavigation } from "react-router";
import { RepeatFields } from "#app/components/events/series/repeat-fields.tsx";
import { ActingField } from "#app/components/shell/acting/acting-field.tsx";
import { Button, ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { FormMessage } from "#app/components/ui/fields/form-message.tsx";
import { GuardedForm } from "#app/components/ui/fields/guarded-form.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { useFirstError } from "#app/components/ui/fields/use-first-error.ts";
import type { Context } from "#app/domain/context.ts";
import type { EditableEvent } from "#app/domain/events/queries/editable.server.ts";
import { eventSpanText } from "#app/domain/events/times/rules.ts";
import { wallsOf } from "#app/domain/events/times/rules/zone-rules.ts";
import { repeatEvent } from "#app/domain/events/series/commands/repetition.server.ts";
import { DatesOnlyShown } from "#app/domain/events/series/errors.ts";
import { seriesById } from "#app/domain/events/series/queries.server.ts";
import { repeatText, timesOnDay } from "#app/domain/events/series/rules.ts";
import { repeatValues, repetitionSchema } from "#app/domain/events/series/schema.ts";
import { submitForSpace } from "#app/http/acting.server.ts";
import { domainContext } from "#app/http/contexts.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import type { FormProblem } from "#app/lib/form-problem.ts";
import { ownEvent } from "#app/routes/events/event-page.server.ts";
import { datesPreview } from "./dates-preview.server.ts";
import type { Route } from "./+types/repetition.ts";

const EMPTY = {};

export const meta: Route.MetaFunction = () => [{ title: "Repetir evento · Coreto" }];

export async function loader(args: Route.LoaderArgs) {
  const { event } = await ownEvent(args);
  const { series, times } = await repeated(args.context.get(domainContext), event);
  return {
    title: event.title,
    isChangeable: event.status !== "canceled",
    when: eventSpanText(times, times.timeZone),
    times: { ...wallsOf(times), timeZone: times.timeZone },
    repeats: series ? repeatText(series.rule, series.startsWall.slice(0, 10)) : null,
    values: series ? repeatValues(series.rule) : EMPTY,
  };
}

/** The series of the event, and when its date takes place by the rule, wherever it was moved to. */
async function repeated(ctx: Context, event: EditableEvent) {
  const { seriesId, seriesDay, timeZone } = event;
  const series = seriesId === null ? null : await seriesById(ctx, { seriesId });
  const times =
    series && seriesDay !== null
      ? { ...timesOnDay(seriesDay, series), timeZone: series.timeZone }
      : { ...wallsOf(event), startsAt: event.startsAt, endsAt: event.endsAt, timeZone };
  return { series, times };
}

export async function action(args: Route.ActionArgs) {
  const { request, context, params } = args;
  const ctx = context.get(domainContext);
  const { event } = await ownEvent(args);
  const { times } = await repeated(ctx, event);
  const answer = await submitForSpace(
    { request, context },
    "events:manage",
    repetitionSchema(times),
    async ({ rule, preview }, { space }) => {
      if (preview) throw new DatesOnlyShown();
      await repeatEvent(ctx, { eventId: params.id, creatorId: space.personId, rule });
      return redirectWithToast(request, `/events/${params.id}`, {
        kind: "success",
        message: "Repetição salva.",
      });
    },
  );
  if (answer instanceof Response) return answer;
  return { ...answer, data: { ...answer.data, dates: datesOf(answer.data) } };
}

/** The dates of a form that is shown again, for readers without JavaScript. */
const datesOf = ({ values }: FormProblem) =>
  datesPreview({ ...values, weekdays: (values["weekdays"] ?? "").split("\n").filter(Boolean) });

export default function Repetition({ loaderData, actionData, params }: Route.ComponentProps) {
  const { title, isChangeable, when, times, repeats, values } = loaderData;
  const isBusy = useNavigation().state !== "idle";
  useFirstError(actionData);
  return (
    <>
      <PageHeader title="Repetir evento" lead={title}>
        <ButtonLink to={`/events/${params.id}`} variant="outline" size="sm">
          Ver o evento
        </ButtonLink>
      </PageHeader>
      <Card className="flex flex-col gap-5 p-5 sm:p-6">
        <p>
          {repeats === null
            ? `O evento é ${when}. As outras datas ficam como esta, com os mesmos ingressos e perguntas, e são publicadas junto.`
            : `${repeats}. A nova repetição vale a partir de ${when}. Uma data em que alguém já tem vaga não sai: cancele-a antes, se for o caso.`}
        </p>
        {isChangeable ? (
          <GuardedForm method="post" className="flex flex-col gap-5" noValidate>
            <ActingField />
            <FormMessage message={actionData?.message} link={actionData?.link} />
            <input type="hidden" name="startsAt" value={times.startsWall} />
            <input type="hidden" name="endsAt" value={times.endsWall} />
            <input type="hidden" name="timeZone" value={times.timeZone} />
            <RepeatFields
              values={{ ...values, ...actionData?.values }}
              errors={actionData?.errors ?? EMPTY}
              shown={actionData?.dates ?? null}
            />
            <Button size="lg" disabled={isBusy} className="self-start">
              Salvar repetição
            </Button>
          </GuardedForm>
        ) : null}
      </Card>
    </>
  );
}
