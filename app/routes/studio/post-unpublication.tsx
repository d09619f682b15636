import { PostConfirmationPage } from "#app/components/posts/post-confirmation-page.tsx";
import { Button } from "#app/components/ui/button.tsx";
import { unpublishPost } from "#app/domain/posts/commands/lifecycle.server.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import { actOnPost, ownPost } from "./post-confirmation.server.ts";
import type { Route } from "./+types/post-unpublication.ts";

export const meta: Route.MetaFunction = () => [{ title: "Tirar do ar · Coreto" }];

export const loader = (args: Route.LoaderArgs) => ownPost(args);

export function action(args: Route.ActionArgs) {
  return actOnPost(args, unpublishPost, () =>
    redirectWithToast(args.request, `/post/${args.params.id}/edit`, {
      kind: "success",
      message: "Saiu do ar. Agora é um rascunho.",
    }),
  );
}

export default function PostUnpublication({
  loaderData: { post },
  actionData,
}: Route.ComponentProps) {
  return (
    <PostConfirmationPage
      heading="Tirar do ar"
      post={post}
      means="Ela volta a ser um rascunho que só você vê. Curtidas e comentários ficam guardados."
      button={<Button variant="ink">Tirar do ar</Button>}
      message={actionData?.message}
    />
  );
}
