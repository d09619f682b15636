import { Form, redirect } from "react-router";
import { Button, ButtonLink } from "#app/components/ui/button.tsx";
import { FormMessage } from "#app/components/ui/fields/form-message.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { likePost, unlikePost } from "#app/domain/posts/commands.server.ts";
import { likeSchema } from "#app/domain/posts/schema.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import { handleForm } from "#app/http/form.ts";
import { withOfflineMessage } from "#app/http/offline-action.ts";
import { returnPath } from "#app/http/return-path.ts";
import type { Route } from "./+types/post-like.ts";

export const meta: Route.MetaFunction = () => [{ title: "Curtir · Coreto" }];

export async function action({ request, context, params }: Route.ActionArgs) {
  const ctx = context.get(domainContext);
  const { id: personId } = context.get(memberContext);
  return handleForm(request, likeSchema, async ({ liked, to, inPlace }) => {
    await (liked ? likePost : unlikePost)(ctx, { postId: params.id, personId });
    if (inPlace) return Response.json({ liked });
    return redirect(returnPath(request, to, `/post/${params.id}`));
  });
}

export async function clientAction({ serverAction }: Route.ClientActionArgs) {
  return await withOfflineMessage(serverAction);
}

/**
 * Shows a like that was refused without JavaScript, or a form to people who open the address
 * directly. The like button is beside the post.
 */
export default function PostLike({ actionData, params }: Route.ComponentProps) {
  const message = actionData && "message" in actionData ? actionData.message : null;
  const back = `/post/${params.id}`;
  return (
    <div className="flex flex-col gap-4">
      <PageHeader title={message ? "Não deu para curtir" : "Curtir esta publicação"} />
      <FormMessage message={message} />
      <Form method="post" className="flex flex-wrap gap-2">
        <input type="hidden" name="to" value={back} />
        {message ? null : <Button>Curtir</Button>}
        <ButtonLink to={back} variant="outline">
          Voltar à publicação
        </ButtonLink>
      </Form>
    </div>
  );
}
