import { z } from "zod";
import { BroadcastSendForm } from "#app/components/broadcasts/broadcast-send-form.tsx";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { scheduleBroadcast } from "#app/domain/broadcasts/commands.server.ts";
import { civilMoment } from "#app/domain/posts/rules/composing.ts";
import { civilMomentSchema } from "#app/domain/posts/schema/moment.ts";
import { formatMinute } from "#app/domain/time.ts";
import { submitForSpace } from "#app/http/acting.server.ts";
import { domainContext } from "#app/http/contexts.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import { ownBroadcast } from "./own-broadcast.server.ts";
import type { Route } from "./+types/broadcast-schedule.ts";

export const meta: Route.MetaFunction = () => [{ title: "Enviar mensagem para muitos · Coreto" }];

export async function loader({ context, params }: Route.LoaderArgs) {
  return { sendAt: civilMoment((await ownBroadcast(context, params)).sendAt) };
}

export async function action({ request, context, params }: Route.ActionArgs) {
  return await submitForSpace(
    { request, context },
    "messages:write",
    z.object({ sendAt: civilMomentSchema }),
    async ({ sendAt }, actor) => {
      await scheduleBroadcast(context.get(domainContext), {
        id: params.id,
        creatorId: actor.space.personId,
        sendAt,
      });
      return await redirectWithToast(request, `/messages/broadcasts/${params.id}`, {
        kind: "success",
        message:
          sendAt === null ? "A sua mensagem está saindo." : `Sai em ${formatMinute(sendAt)}.`,
      });
    },
  );
}

/** Shows the form again with why it was refused. */
export default function BroadcastSchedule({
  loaderData,
  actionData,
  params,
}: Route.ComponentProps) {
  return (
    <>
      <PageHeader title="Enviar a mensagem" />
      <Card className="flex flex-col gap-5 p-5 sm:p-6">
        <BroadcastSendForm id={params.id} sendAt={loaderData.sendAt} problem={actionData} />
        <ButtonLink
          to={`/messages/broadcasts/${params.id}`}
          variant="outline"
          className="self-start"
        >
          Voltar à mensagem
        </ButtonLink>
      </Card>
    </>
  );
}
