import { redirect } from "react-router";
import { BroadcastForm } from "#app/components/broadcasts/broadcast-form.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { changeBroadcast } from "#app/domain/broadcasts/commands.server.ts";
import { isEditableState } from "#app/domain/broadcasts/rules.ts";
import { broadcastSchema } from "#app/domain/broadcasts/schema.ts";
import { canSellFiles } from "#app/domain/messages/queries/sales.server.ts";
import { submitForSpace } from "#app/http/acting.server.ts";
import { domainContext } from "#app/http/contexts.ts";
import { broadcastContent } from "./broadcast-content.ts";
import { broadcastPlans } from "./broadcast-plans.server.ts";
import { ownBroadcast } from "./own-broadcast.server.ts";
import type { Route } from "./+types/broadcast-edit.ts";

export const meta: Route.MetaFunction = () => [{ title: "Mudar mensagem para muitos · Coreto" }];

export async function loader({ request, context, params }: Route.LoaderArgs) {
  const { creatorId, state, ...saved } = await ownBroadcast(context, params);
  if (request.method === "GET" && !isEditableState(state))
    throw redirect(`/messages/broadcasts/${params.id}`);
  const ctx = context.get(domainContext);
  const [plans, canSell] = await Promise.all([
    broadcastPlans(ctx, { creatorId }),
    canSellFiles(ctx, { personId: creatorId }),
  ]);
  const { segment, planIds, text, files, isSensitive, priceCents } = saved;
  return {
    broadcast: { segment, planIds, text, files, isSensitive, priceCents },
    plans,
    canSellFiles: canSell,
  };
}

export async function action({ request, context, params }: Route.ActionArgs) {
  return await submitForSpace(
    { request, context },
    "messages:write",
    broadcastSchema,
    async (form, actor) => {
      await changeBroadcast(context.get(domainContext), {
        id: params.id,
        ...broadcastContent(form, actor),
      });
      return redirect(`/messages/broadcasts/${params.id}`);
    },
  );
}

export default function BroadcastEdit({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <>
      <PageHeader title="Mudar a mensagem" />
      <Card className="p-5 sm:p-6">
        <BroadcastForm {...loaderData} problem={actionData} />
      </Card>
    </>
  );
}
