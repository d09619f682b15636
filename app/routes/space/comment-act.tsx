import { data, redirect } from "react-router";
import { FormMessage } from "#app/components/ui/fields/form-message.tsx";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { removeComment, restoreComment } from "#app/domain/comments/commands.server.ts";
import { hideComment, pinComment } from "#app/domain/comments/commands/host.server.ts";
import type { HostAction } from "#app/domain/comments/commands/host.server.ts";
import { commentActionSchema } from "#app/domain/comments/schema.ts";
import type { CommentAction } from "#app/domain/comments/schema.ts";
import type { Context } from "#app/domain/context.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import { handleForm } from "#app/http/form.ts";
import { commentHostId } from "#app/http/identity/hosting.ts";
import { withOfflineMessage } from "#app/http/offline-action.ts";
import { returnPath } from "#app/http/return-path.ts";
import type { Route } from "./+types/comment-act.ts";

const ACTS: Record<
  CommentAction,
  (ctx: Context, asked: HostAction) => Promise<{ postId: string }>
> = {
  remove: removeComment,
  restore: restoreComment,
  hide: (ctx, asked) => hideComment(ctx, { ...asked, hidden: true }),
  show: (ctx, asked) => hideComment(ctx, { ...asked, hidden: false }),
  pin: (ctx, asked) => pinComment(ctx, { ...asked, pinned: true }),
  unpin: (ctx, asked) => pinComment(ctx, { ...asked, pinned: false }),
};

export const meta: Route.MetaFunction = () => [{ title: "Comentário · Coreto" }];

export async function action({ request, context, params: { id, commentId } }: Route.ActionArgs) {
  const { id: personId } = context.get(memberContext);
  return handleForm(request, commentActionSchema, async ({ act, to, inPlace }) => {
    await ACTS[act](context.get(domainContext), {
      commentId,
      personId,
      hostId: commentHostId(context),
    });
    if (inPlace) return data({ errors: {}, message: null, values: {} });
    return redirect(returnPath(request, to, `/post/${id}#comentarios`));
  });
}

export async function clientAction({ serverAction }: Route.ClientActionArgs) {
  return await withOfflineMessage(serverAction);
}

/**
 * Shows an action that was refused without JavaScript, or a form to people who open the address
 * directly. The actions are beside the comment.
 */
export default function CommentActPage({ actionData, params }: Route.ComponentProps) {
  const message = actionData && "message" in actionData ? actionData.message : null;
  return (
    <div className="flex flex-col gap-4">
      <PageHeader title={message ? "Não deu certo" : "Comentário"} />
      <FormMessage message={message} />
      <ButtonLink to={`/post/${params.id}#comentarios`} variant="outline" className="self-start">
        Voltar à publicação
      </ButtonLink>
    </div>
  );
}
