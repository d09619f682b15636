import { redirect } from "react-router";
import { commentsClosingSchema } from "#app/domain/comments/schema.ts";
import { setCommentsClosed } from "#app/domain/posts/commands.server.ts";
import { domainContext } from "#app/http/contexts.ts";
import { handleForm } from "#app/http/form.ts";
import { commentHostId } from "#app/http/identity/hosting.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import type { Route } from "./+types/comments-closing.ts";

export async function action({ request, context, params }: Route.ActionArgs) {
  return handleForm(request, commentsClosingSchema, async ({ closed }) => {
    await setCommentsClosed(context.get(domainContext), {
      postId: params.id,
      personId: commentHostId(context),
      closed,
    });
    const message = closed
      ? "Comentários fechados. O que já foi dito continua aqui."
      : "Comentários abertos.";
    return redirectWithToast(request, `/post/${params.id}#comentarios`, {
      kind: "success",
      message,
    });
  });
}

export function loader({ params }: Route.LoaderArgs) {
  return redirect(`/post/${params.id}`);
}
