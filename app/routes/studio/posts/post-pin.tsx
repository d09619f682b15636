import { quoted } from "#app/domain/text.ts";
import { Form } from "react-router";
import { z } from "zod";
import { ActingField } from "#app/components/shell/acting/acting-field.tsx";
import { Button, ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { FormMessage } from "#app/components/ui/fields/form-message.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { pinPost, unpinPost } from "#app/domain/posts/commands/lifecycle.server.ts";
import { storedPost } from "#app/domain/posts/queries/studio.server.ts";
import { requireActor, submitForSpace } from "#app/http/acting.server.ts";
import { domainContext } from "#app/http/contexts.ts";
import { foundOr404 } from "#app/http/refusal.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import type { Route } from "./+types/post-pin.ts";

/** The form sends the wanted state, so that two clicks never toggle twice. */
const pinSchema = z.object({
  pinned: z.enum(["true", "false"]).transform((text) => text === "true"),
});

export const meta: Route.MetaFunction = () => [{ title: "Fixar · Coreto" }];

export async function loader({ context, params }: Route.LoaderArgs) {
  const post = await storedPost(context.get(domainContext), { postId: params.id });
  const own = foundOr404(
    post?.authorId === requireActor({ context }, "posts:publish").space.personId ? post : null,
    "Não encontramos esta publicação.",
  );
  return { title: own.title, isPinned: own.pinnedAt !== null };
}

export async function action({ request, context, params }: Route.ActionArgs) {
  return submitForSpace(
    { request, context },
    "posts:publish",
    pinSchema,
    async ({ pinned }, { space }) => {
      const post = { postId: params.id, authorId: space.personId };
      await (pinned ? pinPost : unpinPost)(context.get(domainContext), post);
      return redirectWithToast(request, `/post/${params.id}`, {
        kind: "success",
        message: pinned ? "Fixada no topo da sua página." : "Não está mais fixada.",
      });
    },
  );
}

export default function PostPin({ loaderData, actionData, params }: Route.ComponentProps) {
  const { title, isPinned } = loaderData;
  return (
    <>
      <PageHeader title={isPinned ? "Soltar publicação" : "Fixar publicação"} />
      <Card className="flex flex-col gap-4 p-5 sm:p-6">
        <FormMessage message={actionData?.message} />
        <p>{quoted(title)}. Até 3 publicações ficam no topo da sua página, para quem chega.</p>
        <Form method="post" className="flex flex-wrap gap-2">
          <ActingField />
          <input type="hidden" name="pinned" value={String(!isPinned)} />
          <Button>{isPinned ? "Soltar" : "Fixar"}</Button>
          <ButtonLink to={`/post/${params.id}`} variant="outline">
            Voltar
          </ButtonLink>
        </Form>
      </Card>
    </>
  );
}
