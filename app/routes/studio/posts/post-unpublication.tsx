import { PostConfirmationPage } from "#app/components/posts/own-posts/post-confirmation-page.tsx";
import { Button } from "#app/components/ui/button.tsx";
import { unpublishPost } from "#app/domain/posts/commands/lifecycle.server.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import { actOnPost, ownPost } from "./post-confirmation.server.ts";
import type { Route } from "./+types/post-unpublication.ts";

/** What a published post leaves is not what a scheduled one does: nobody saw it yet. */
const PUBLISHED = {
  act: "Tirar do ar",
  means: "Ela volta a ser um rascunho que só você vê. Curtidas e comentários ficam guardados.",
};
const SCHEDULED = {
  act: "Voltar para rascunho",
  means: "Ela não sai mais na hora marcada. O texto fica como rascunho, que só você vê.",
};

export const meta: Route.MetaFunction = ({ loaderData }) => [
  { title: `${textsOf(loaderData?.post.state).act} · Coreto` },
];

export const loader = (args: Route.LoaderArgs) => ownPost(args);

/** Opens the composer, whose button is the way back: nobody is notified of a post twice. */
export async function action(args: Route.ActionArgs) {
  const { post } = await ownPost(args);
  const isScheduled = post.state === "scheduled";
  return await actOnPost(args, unpublishPost, () =>
    redirectWithToast(args.request, `/post/${args.params.id}/edit`, {
      kind: "success",
      message: isScheduled
        ? "Agora é um rascunho, que só você vê. Para voltar atrás, agende de novo."
        : "Agora é um rascunho, que só você vê. Para voltar atrás, publique de novo: ninguém é avisado outra vez.",
    }),
  );
}

export default function PostUnpublication({
  loaderData: { post },
  actionData,
}: Route.ComponentProps) {
  const { act, means } = textsOf(post.state);
  return (
    <PostConfirmationPage
      heading={act}
      post={post}
      means={means}
      button={<Button variant="ink">{act}</Button>}
      message={actionData?.message}
    />
  );
}

function textsOf(state: string | undefined) {
  return state === "scheduled" ? SCHEDULED : PUBLISHED;
}
