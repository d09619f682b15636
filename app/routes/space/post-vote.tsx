import { ButtonLink } from "#app/components/ui/button.tsx";
import { FormMessage } from "#app/components/ui/fields/form-message.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { voteInPoll } from "#app/domain/posts/commands/polls.server.ts";
import { voteSchema } from "#app/domain/posts/schema/polls.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import { handleForm } from "#app/http/form.ts";
import { withOfflineMessage } from "#app/http/offline-action.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import type { Route } from "./+types/post-vote.ts";

export const meta: Route.MetaFunction = () => [{ title: "Votar · Coreto" }];

export async function action({ request, context, params }: Route.ActionArgs) {
  const personId = context.get(memberContext).id;
  return handleForm(request, voteSchema, async ({ choice, inPlace }) => {
    await voteInPoll(context.get(domainContext), { postId: params.id, personId, places: choice });
    if (inPlace) return Response.json({ message: null });
    return redirectWithToast(request, `/post/${params.id}#enquete`, {
      kind: "success",
      message: "Voto contado.",
    });
  });
}

export async function clientAction({ serverAction }: Route.ClientActionArgs) {
  return await withOfflineMessage(serverAction);
}

/**
 * Shows a vote that was refused without JavaScript, or a form to people who open the address
 * directly. Votes are cast below the post.
 */
export default function PostVote({ actionData, params }: Route.ComponentProps) {
  const refused: { message: string | null; errors: Record<string, string> } | null =
    actionData && "errors" in actionData ? actionData : null;
  const problem = refused?.message ?? refused?.errors["choice"];
  return (
    <div className="flex flex-col gap-4">
      <PageHeader title={problem ? "Não deu para votar" : "Votar"} />
      <FormMessage message={problem} />
      <ButtonLink to={`/post/${params.id}#enquete`} variant="outline" className="self-start">
        Voltar à enquete
      </ButtonLink>
    </div>
  );
}
