import { redirect } from "react-router";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { FormMessage } from "#app/components/ui/fields/form-message.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { likeComment, unlikeComment } from "#app/domain/comments/commands/likes.server.ts";
import { likeSchema } from "#app/domain/posts/schema.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import { handleForm } from "#app/http/form.ts";
import { withOfflineMessage } from "#app/http/offline-action.ts";
import { returnPath } from "#app/http/return-path.ts";
import type { Route } from "./+types/comment-like.ts";

export const meta: Route.MetaFunction = () => [{ title: "Curtir · Coreto" }];

export async function action({ request, context, params: { id, commentId } }: Route.ActionArgs) {
  const { id: personId } = context.get(memberContext);
  return handleForm(request, likeSchema, async ({ liked, to, inPlace }) => {
    await (liked ? likeComment : unlikeComment)(context.get(domainContext), {
      commentId,
      personId,
    });
    if (inPlace) return Response.json({ liked });
    return redirect(returnPath(request, to, `/post/${id}#comentarios`));
  });
}

export async function clientAction({ serverAction }: Route.ClientActionArgs) {
  return await withOfflineMessage(serverAction);
}

/**
 * Shows a like that was refused without JavaScript, or a form to people who open the address
 * directly. The like button is beside the comment.
 */
export default function CommentLike({ actionData, params }: Route.ComponentProps) {
  const message = actionData && "message" in actionData ? actionData.message : null;
  return (
    <div className="flex flex-col gap-4">
      <PageHeader title={message ? "Não deu para curtir" : "Curtir este comentário"} />
      <FormMessage message={message} />
      <ButtonLink
        to={`/post/${params.id}/comments/${params.commentId}`}
        variant="outline"
        className="self-start"
      >
        Ver o comentário
      </ButtonLink>
    </div>
  );
}
