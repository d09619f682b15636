import { data, Form, redirect } from "react-router";
import { CommentFields } from "#app/components/posts/comments.tsx";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { addComment } from "#app/domain/comments/commands.server.ts";
import { commentSchema } from "#app/domain/comments/schema.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import { submitted } from "#app/http/form.ts";
import type { Route } from "./+types/post-comments.ts";

export const meta: Route.MetaFunction = () => [{ title: "Comentar · Coreto" }];

export async function action({ request, context, params }: Route.ActionArgs) {
  const member = context.get(memberContext);
  return submitted(request, commentSchema, async ({ body, inPlace }) => {
    await addComment(context.get(domainContext), { postId: params.id, authorId: member.id, authorName: member.name, body });
    return inPlace ? Response.json({ commented: true }) : redirect(`/post/${params.id}#comentarios`);
  });
}

/** A lost connection keeps the text and says so, in place of the whole page. */
export async function clientAction({ request, serverAction }: Route.ClientActionArgs) {
  const typed = await request.clone().formData();
  try {
    return await serverAction();
  } catch (error) {
    if (error instanceof Response) throw error;
    const values = { body: String(typed.get("body") ?? "") };
    return data({ errors: {}, message: "O comentário não foi enviado. Confira a internet e tente de novo.", values }, { status: 503 });
  }
}

/** Comments are read and written below their post; a form refused without JavaScript lands here, with what was typed. */
export default function PostComments({ actionData, params }: Route.ComponentProps) {
  const problem = actionData && "errors" in actionData ? actionData : undefined;
  return (
    <>
      <PageHeader title="Comentar">
        <ButtonLink to={`/post/${params.id}`} variant="outline" size="sm">
          Voltar à publicação
        </ButtonLink>
      </PageHeader>
      <Card className="p-5 sm:p-6">
        <Form method="post" noValidate>
          <CommentFields problem={problem} />
        </Form>
      </Card>
    </>
  );
}
