import { PostConfirmationPage } from "#app/components/posts/own-posts/post-confirmation-page.tsx";
import { Button } from "#app/components/ui/button.tsx";
import { restorePost } from "#app/domain/posts/commands/lifecycle.server.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import { actOnPost, ownPost } from "./post-confirmation.server.ts";
import type { Route } from "./+types/post-restoration.ts";

export const meta: Route.MetaFunction = () => [{ title: "Trazer de volta · Coreto" }];

export const loader = (args: Route.LoaderArgs) => ownPost(args);

export function action(args: Route.ActionArgs) {
  return actOnPost(args, restorePost, () =>
    redirectWithToast(args.request, `/post/${args.params.id}`, {
      kind: "success",
      message: "A publicação voltou.",
    }),
  );
}

export default function PostRestoration({
  loaderData: { post },
  actionData,
}: Route.ComponentProps) {
  return (
    <PostConfirmationPage
      heading="Trazer de volta"
      post={post}
      means="Ela volta para onde estava, com curtidas e comentários."
      button={<Button>Trazer de volta</Button>}
      message={actionData?.message}
    />
  );
}
