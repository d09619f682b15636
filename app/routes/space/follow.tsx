import { Form, redirect } from "react-router";
import { Button, ButtonLink } from "#app/components/ui/button.tsx";
import { FormMessage } from "#app/components/ui/fields/form-message.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { follow, unfollow } from "#app/domain/profiles/commands.server.ts";
import { profileFor } from "#app/domain/profiles/queries.server.ts";
import { followSchema } from "#app/domain/profiles/schema.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import { handleForm } from "#app/http/form.ts";
import { withOfflineMessage } from "#app/http/offline-action.ts";
import { returnPath } from "#app/http/return-path.ts";
import { foundOr404 } from "#app/http/refusal.ts";
import { countedLink } from "#app/http/visits.server.ts";
import type { Route } from "./+types/follow.ts";

export const meta: Route.MetaFunction = () => [{ title: "Seguir · Coreto" }];

export async function action({ request, context, params }: Route.ActionArgs) {
  const ctx = context.get(domainContext);
  const { id: followerId } = context.get(memberContext);
  return handleForm(request, followSchema, async ({ following, to, inPlace, l: link }) => {
    const creator = foundOr404(await profileFor(ctx, { key: params.id, viewerId: null }));
    const pair = { followerId, creatorId: creator.id };
    await (following
      ? follow(ctx, { ...pair, link: countedLink(request, link) })
      : unfollow(ctx, pair));
    if (inPlace) return Response.json({ following });
    return redirect(returnPath(request, to, `/space/${creator.username}`));
  });
}

export async function clientAction({ serverAction }: Route.ClientActionArgs) {
  return await withOfflineMessage(serverAction);
}

/**
 * Shows a follow that was refused without JavaScript, or a form to people who open the address
 * directly. The follow button is on the creator's page.
 */
export default function Follow({ actionData, params }: Route.ComponentProps) {
  const message = actionData && "message" in actionData ? actionData.message : null;
  const back = `/space/${params.id}`;
  return (
    <div className="flex flex-col gap-4">
      <PageHeader title={message ? "Não deu para seguir" : "Seguir esta página"} />
      <FormMessage message={message} />
      <Form method="post" className="flex flex-wrap gap-2">
        <input type="hidden" name="to" value={back} />
        {message ? null : <Button>Seguir</Button>}
        <ButtonLink to={back} variant="outline">
          Voltar à página
        </ButtonLink>
      </Form>
    </div>
  );
}
