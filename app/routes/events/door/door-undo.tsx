import { z } from "zod";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { FormMessage } from "#app/components/ui/fields/form-message.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { undoCheckIn } from "#app/domain/events/door/commands.server.ts";
import { submitForSpace } from "#app/http/acting.server.ts";
import { domainContext } from "#app/http/contexts.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import type { Route } from "./+types/door-undo.ts";

export const meta: Route.MetaFunction = () => [{ title: "Desfazer entrada · Coreto" }];

const schema = z.object({ entryId: z.string().regex(/^[0-9a-f-]{1,64}$/) });

export async function action({ request, context, params }: Route.ActionArgs) {
  return submitForSpace(
    { request, context },
    "events:manage",
    schema,
    async ({ entryId }, { space }) => {
      const { name } = await undoCheckIn(context.get(domainContext), {
        eventId: params.id,
        creatorId: space.personId,
        entryId,
      });
      return redirectWithToast(request, `/events/${params.id}/door`, {
        kind: "success",
        message: `A entrada de ${name} foi desfeita.`,
      });
    },
  );
}

/** Shows a refusal. The button is on the page of the door. */
export default function DoorUndo({ actionData, params }: Route.ComponentProps) {
  const problem = actionData?.message ?? Object.values(actionData?.errors ?? {})[0];
  return (
    <div className="flex flex-col gap-4">
      <PageHeader title="Desfazer entrada" />
      <FormMessage message={problem} />
      <ButtonLink to={`/events/${params.id}/door`} variant="outline" className="self-start">
        Voltar à portaria
      </ButtonLink>
    </div>
  );
}
