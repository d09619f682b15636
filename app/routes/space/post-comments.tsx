import { Form, redirect } from "react-router";
import {
  COMMENT_FORM_LABELS,
  CommentFields,
  REPLY_FORM_LABELS,
} from "#app/components/comments/comment-form.tsx";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { addComment } from "#app/domain/comments/commands.server.ts";
import { commentSchema } from "#app/domain/comments/schema.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import { withTypedOnOffline } from "#app/http/offline-action.ts";
import { handleForm } from "#app/http/form.ts";
import type { Route } from "./+types/post-comments.ts";

export const meta: Route.MetaFunction = () => [{ title: "Comentar · Coreto" }];

export async function action({ request, context, params }: Route.ActionArgs) {
  const member = context.get(memberContext);
  return handleForm(request, commentSchema, async ({ body, parentId, inPlace }) => {
    const { commentId } = await addComment(context.get(domainContext), {
      postId: params.id,
      authorId: member.id,
      authorName: member.name,
      body,
      parentId,
    });
    if (inPlace) return Response.json({ commented: true });
    return redirect(
      parentId
        ? `/post/${params.id}/comments/${commentId}#comentario-${commentId}`
        : `/post/${params.id}#comentarios`,
    );
  });
}

export async function clientAction({ request, serverAction }: Route.ClientActionArgs) {
  return await withTypedOnOffline(request, serverAction);
}

/**
 * Shows a comment that was refused without JavaScript, with the typed text. Comments are read and
 * written below their post.
 */
export default function PostComments({ actionData, params }: Route.ComponentProps) {
  const problem = actionData && "errors" in actionData ? actionData : undefined;
  const parentId = problem?.values["parentId"];
  return (
    <>
      <PageHeader title="Comentar">
        <ButtonLink to={`/post/${params.id}`} variant="outline" size="sm">
          Voltar à publicação
        </ButtonLink>
      </PageHeader>
      <Card className="p-5 sm:p-6">
        <Form method="post" noValidate>
          {parentId ? <input type="hidden" name="parentId" value={parentId} /> : null}
          <CommentFields
            labels={parentId ? REPLY_FORM_LABELS : COMMENT_FORM_LABELS}
            problem={problem}
          />
        </Form>
      </Card>
    </>
  );
}
