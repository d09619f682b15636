import { ConfirmationPage } from "#app/components/shell/confirmation-page.tsx";
import { Button } from "#app/components/ui/button.tsx";
import { cancelEvent } from "#app/domain/events/commands.server.ts";
import { counted } from "#app/domain/text.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import { actOnEvent, ownEvent } from "./event-page.server.ts";
import type { Route } from "./+types/event-cancellation.ts";

export const meta: Route.MetaFunction = () => [{ title: "Cancelar evento · Coreto" }];

export async function loader(args: Route.LoaderArgs) {
  const { title, seatsTaken, isSold } = (await ownEvent(args)).event;
  return { title, seatsTaken, isSold };
}

export function action(args: Route.ActionArgs) {
  return actOnEvent(args, cancelEvent, () =>
    redirectWithToast(args.request, `/events/${args.params.id}`, {
      kind: "success",
      message: "Evento cancelado. Quem tinha vaga foi avisado.",
    }),
  );
}

export default function EventCancellation({
  loaderData: { title, seatsTaken, isSold },
  actionData,
  params,
}: Route.ComponentProps) {
  const told =
    seatsTaken === 0
      ? "Ninguém tem vaga ainda."
      : `Há ${counted(seatsTaken, "vaga ocupada", "vagas ocupadas")}: avisamos cada pessoa por aqui e por e-mail.`;
  return (
    <ConfirmationPage
      heading="Cancelar evento"
      title={title}
      means={`${told} ${isSold ? "Quem pagou recebe tudo de volta, sem você fazer nada. " : ""}Um evento cancelado não volta.`}
      button={<Button variant="danger">Cancelar evento</Button>}
      backTo={`/events/${params.id}`}
      message={actionData?.message}
    />
  );
}
