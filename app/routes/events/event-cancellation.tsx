import { ConfirmationPage } from "#app/components/shell/confirmation-page.tsx";
import { Button } from "#app/components/ui/button.tsx";
import { ScopeChoices } from "#app/components/events/series/scope-choices.tsx";
import { cancelDates } from "#app/domain/events/series/commands.server.ts";
import { seriesExtent } from "#app/domain/events/series/queries.server.ts";
import { scopeSchema } from "#app/domain/events/series/schema.ts";
import { counted } from "#app/domain/text.ts";
import { submitForSpace } from "#app/http/acting.server.ts";
import { domainContext } from "#app/http/contexts.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import { ownEvent } from "./event-page.server.ts";
import type { Route } from "./+types/event-cancellation.ts";

export const meta: Route.MetaFunction = () => [{ title: "Cancelar evento · Coreto" }];

export async function loader(args: Route.LoaderArgs) {
  const { event } = await ownEvent(args);
  const { title, seatsTaken, isSold, seriesId, seriesDay } = event;
  const ctx = args.context.get(domainContext);
  const extentFrom = async (fromDay: string) =>
    seriesId === null ? null : await seriesExtent(ctx, { seriesId, fromDay });
  return {
    title,
    seatsTaken,
    isSold,
    next: await extentFrom(seriesDay ?? ""),
    all: await extentFrom(""),
  };
}

export function action({ request, context, params }: Route.ActionArgs) {
  const act = { request, context };
  return submitForSpace(act, "events:manage", scopeSchema, async ({ scope }, { space }) => {
    const own = { eventId: params.id, creatorId: space.personId };
    await cancelDates(context.get(domainContext), { ...own, scope });
    return redirectWithToast(request, `/events/${params.id}`, {
      kind: "success",
      message:
        scope === "one"
          ? "Evento cancelado. Quem tinha vaga foi avisado."
          : "Datas canceladas. Quem tinha vaga é avisado em até alguns minutos.",
    });
  });
}

export default function EventCancellation({
  loaderData: { title, seatsTaken, isSold, next, all },
  actionData,
  params,
}: Route.ComponentProps) {
  const consequence = next
    ? "Avisamos quem tem vaga em cada data cancelada, por aqui e por e-mail, e quem pagou recebe tudo de volta."
    : seatsTaken === 0
      ? "Ninguém tem vaga ainda."
      : `Há ${counted(seatsTaken, "vaga ocupada", "vagas ocupadas")}: avisamos cada pessoa por aqui e por e-mail.`;
  return (
    <ConfirmationPage
      heading="Cancelar evento"
      title={title}
      means={`${consequence} ${isSold && !next ? "Quem pagou recebe tudo de volta, sem você fazer nada. " : ""}Um evento cancelado não volta.`}
      button={
        <>
          {next && all ? (
            <ScopeChoices
              legend="Cancelar quais datas"
              chosen={actionData?.values["scope"]}
              error={actionData?.errors["scope"]}
              hint={`Esta e as próximas: ${extentText(next)}. Todas: ${extentText(all)}.`}
            />
          ) : null}
          <Button variant="danger">Cancelar evento</Button>
        </>
      }
      backTo={`/events/${params.id}`}
      message={actionData?.message}
    />
  );
}

const extentText = ({ dates, seatsTaken }: { dates: number; seatsTaken: number }): string =>
  `${counted(dates, "data", "datas")}, com ${counted(seatsTaken, "vaga ocupada", "vagas ocupadas")}`;
