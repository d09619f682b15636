import { Form } from "react-router";
import { Button, ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { FormMessage } from "#app/components/ui/fields/form-message.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import type { Context } from "#app/domain/context.ts";
import { setPostMuted } from "#app/domain/notifications/commands/mutes.server.ts";
import { isPostMuted } from "#app/domain/notifications/queries/sending.server.ts";
import { postMuteSchema } from "#app/domain/notifications/schema.ts";
import { postFor } from "#app/domain/posts/queries.server.ts";
import { quoted } from "#app/domain/text.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import { handleForm } from "#app/http/form.ts";
import { foundOr404 } from "#app/http/refusal.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import type { Route } from "./+types/post-mute.ts";

export const meta: Route.MetaFunction = () => [{ title: "Avisos da publicação · Coreto" }];

const postOf = async (ctx: Context, postId: string, viewerId: string) =>
  foundOr404(
    await postFor(ctx, { postId, viewerId }),
    "Não encontramos esta publicação. Ela pode ter saído do ar.",
  );

export async function loader({ context, params }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const { id: personId } = context.get(memberContext);
  const post = await postOf(ctx, params.id, personId);
  return {
    title: post.title,
    path: `/post/${post.id}`,
    isMuted: await isPostMuted(ctx, { personId, postId: post.id }),
  };
}

/** Stops the notifications of one post, or sends them again. */
export async function action({ request, context, params }: Route.ActionArgs) {
  const ctx = context.get(domainContext);
  const { id: personId } = context.get(memberContext);
  return await handleForm(request, postMuteSchema, async ({ muted }) => {
    const post = await postOf(ctx, params.id, personId);
    await setPostMuted(ctx, { personId, postId: post.id, muted });
    return await redirectWithToast(request, `/post/${post.id}`, {
      kind: "success",
      message: muted
        ? "Você não recebe mais avisos desta publicação."
        : "Você volta a receber os avisos desta publicação.",
    });
  });
}

export default function PostMute({
  loaderData: { title, path, isMuted },
  actionData,
}: Route.ComponentProps) {
  return (
    <>
      <PageHeader
        title={isMuted ? "Receber os avisos de novo?" : "Silenciar os avisos?"}
        lead={
          isMuted
            ? `Comentários, respostas e curtidas em ${quoted(title)} voltam a avisar você.`
            : `Comentários, respostas e curtidas em ${quoted(title)} deixam de avisar você. Quando alguém mencionar você, o aviso ainda chega.`
        }
      />
      <Card className="p-5 sm:p-6">
        <Form method="post" className="flex flex-wrap gap-2">
          <FormMessage message={actionData?.message} />
          <input type="hidden" name="muted" value={String(!isMuted)} />
          <Button>{isMuted ? "Receber de novo" : "Silenciar"}</Button>
          <ButtonLink to={path} variant="outline">
            Voltar à publicação
          </ButtonLink>
        </Form>
      </Card>
    </>
  );
}
