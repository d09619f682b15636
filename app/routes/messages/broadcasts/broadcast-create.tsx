import { redirect } from "react-router";
import { BroadcastForm } from "#app/components/broadcasts/broadcast-form.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { createBroadcast } from "#app/domain/broadcasts/commands.server.ts";
import { broadcastSchema } from "#app/domain/broadcasts/schema.ts";
import { canSellFiles } from "#app/domain/messages/queries/sales.server.ts";
import { requireWriter, submitForSpace } from "#app/http/acting.server.ts";
import { domainContext } from "#app/http/contexts.ts";
import { broadcastContent } from "./broadcast-content.ts";
import { broadcastPlans } from "./broadcast-plans.server.ts";
import type { Route } from "./+types/broadcast-create.ts";

export const meta: Route.MetaFunction = () => [{ title: "Nova mensagem para muitos · Coreto" }];

export async function loader({ context }: Route.LoaderArgs) {
  const creatorId = requireWriter({ context }, "messages:write").space.personId;
  const ctx = context.get(domainContext);
  const [plans, canSell] = await Promise.all([
    broadcastPlans(ctx, { creatorId }),
    canSellFiles(ctx, { personId: creatorId }),
  ]);
  return { plans, canSellFiles: canSell };
}

export async function action({ request, context }: Route.ActionArgs) {
  return await submitForSpace(
    { request, context },
    "messages:write",
    broadcastSchema,
    async (form, actor) => {
      const id = await createBroadcast(context.get(domainContext), broadcastContent(form, actor));
      return redirect(`/messages/broadcasts/${id}`);
    },
  );
}

export default function BroadcastCreate({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <>
      <PageHeader
        title="Nova mensagem para muitos"
        lead="Nada sai ainda: no próximo passo você vê quantas pessoas recebem."
      />
      <Card className="p-5 sm:p-6">
        <BroadcastForm {...loaderData} problem={actionData} />
      </Card>
    </>
  );
}
