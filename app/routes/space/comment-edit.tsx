import { Form, redirect } from "react-router";
import { CommentFields, EDIT_FORM_LABELS } from "#app/components/comments/comment-form.tsx";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { editComment } from "#app/domain/comments/commands.server.ts";
import { loadCommentSnapshot } from "#app/domain/comments/queries.server.ts";
import { commentEditSchema } from "#app/domain/comments/schema.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import { handleForm } from "#app/http/form.ts";
import { withTypedOnOffline } from "#app/http/offline-action.ts";
import { foundOr404 } from "#app/http/refusal.ts";
import type { Route } from "./+types/comment-edit.ts";

export const meta: Route.MetaFunction = () => [{ title: "Editar comentário · Coreto" }];

export async function loader({ context, params: { commentId } }: Route.LoaderArgs) {
  const { id } = context.get(memberContext);
  const snapshot = await loadCommentSnapshot(context.get(domainContext), { commentId });
  const own = foundOr404(
    snapshot?.authorId === id && snapshot.deletedAt === null ? snapshot : null,
    "Não encontramos este comentário. Ele pode ter sido apagado.",
  );
  return { body: own.body };
}

export async function action({ request, context, params: { id, commentId } }: Route.ActionArgs) {
  const { id: personId } = context.get(memberContext);
  return handleForm(request, commentEditSchema, async ({ body, inPlace }) => {
    await editComment(context.get(domainContext), { commentId, personId, body });
    return inPlace
      ? Response.json({ commented: true })
      : redirect(`/post/${id}/comments/${commentId}#comentario-${commentId}`);
  });
}

export async function clientAction({ request, serverAction }: Route.ClientActionArgs) {
  return await withTypedOnOffline(request, serverAction);
}

export default function CommentEdit({ loaderData, actionData, params }: Route.ComponentProps) {
  const problem = actionData && "errors" in actionData ? actionData : undefined;
  return (
    <>
      <PageHeader title="Editar comentário">
        <ButtonLink
          to={`/post/${params.id}/comments/${params.commentId}`}
          variant="outline"
          size="sm"
        >
          Voltar
        </ButtonLink>
      </PageHeader>
      <Card className="p-5 sm:p-6">
        <Form method="post" noValidate>
          <CommentFields labels={EDIT_FORM_LABELS} problem={problem} startsWith={loaderData.body} />
        </Form>
      </Card>
    </>
  );
}
