import { ConfirmationPage } from "#app/components/shell/confirmation-page.tsx";
import { Button } from "#app/components/ui/button.tsx";
import { deleteDraft } from "#app/domain/events/commands.server.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import { actOnEvent, ownEvent } from "./event-page.server.ts";
import type { Route } from "./+types/event-deletion.ts";

export const meta: Route.MetaFunction = () => [{ title: "Apagar rascunho · Coreto" }];

export async function loader(args: Route.LoaderArgs) {
  const { title, seriesId } = (await ownEvent(args)).event;
  return { title, repeats: seriesId !== null };
}

export function action(args: Route.ActionArgs) {
  return actOnEvent(args, deleteDraft, () =>
    redirectWithToast(args.request, "/events/manage", {
      kind: "success",
      message: "Rascunho apagado.",
    }),
  );
}

export default function EventDeletion({ loaderData, actionData, params }: Route.ComponentProps) {
  return (
    <ConfirmationPage
      heading="Apagar rascunho"
      title={loaderData.title}
      means={`Ninguém mais viu este rascunho, e ele não volta.${loaderData.repeats ? " Apaga todas as datas que são rascunho." : ""}`}
      button={<Button variant="danger">Apagar rascunho</Button>}
      backTo={`/events/${params.id}/edit`}
      message={actionData?.message}
    />
  );
}
