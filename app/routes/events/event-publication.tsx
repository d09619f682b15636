import { ConfirmationPage } from "#app/components/shell/confirmation-page.tsx";
import { Button } from "#app/components/ui/button.tsx";
import { publishEvent } from "#app/domain/events/commands.server.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import { actOnEvent, ownEvent } from "./event-page.server.ts";
import type { Route } from "./+types/event-publication.ts";

export const meta: Route.MetaFunction = () => [{ title: "Publicar evento · Coreto" }];

export async function loader(args: Route.LoaderArgs) {
  const { title, seriesId } = (await ownEvent(args)).event;
  return { title, repeats: seriesId !== null };
}

export function action(args: Route.ActionArgs) {
  return actOnEvent(args, publishEvent, () =>
    redirectWithToast(args.request, `/events/${args.params.id}`, {
      kind: "success",
      message: "Evento publicado.",
    }),
  );
}

export default function EventPublication({ loaderData, actionData, params }: Route.ComponentProps) {
  return (
    <ConfirmationPage
      heading="Publicar evento"
      title={loaderData.title}
      means={`A partir de agora as pessoas veem o evento e podem pegar vagas.${loaderData.repeats ? " Publica todas as datas, e os ingressos desta valem para as outras." : ""}`}
      button={<Button>Publicar evento</Button>}
      backTo={`/events/${params.id}`}
      message={actionData?.message ?? actionData?.errors["endsAt"]}
    />
  );
}
