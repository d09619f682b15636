import { PostConfirmationPage } from "#app/components/posts/own-posts/post-confirmation-page.tsx";
import { Button } from "#app/components/ui/button.tsx";
import { closePoll } from "#app/domain/posts/commands/polls.server.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import { actOnPost, ownPost } from "./post-confirmation.server.ts";
import type { Route } from "./+types/poll-closing.ts";

export const meta: Route.MetaFunction = () => [{ title: "Encerrar a enquete · Coreto" }];

export const loader = (args: Route.LoaderArgs) => ownPost(args);

export function action(args: Route.ActionArgs) {
  return actOnPost(args, closePoll, () =>
    redirectWithToast(args.request, `/post/${args.params.id}`, {
      kind: "success",
      message: "Enquete encerrada. Agora todo mundo que vê a publicação vê o resultado.",
    }),
  );
}

export default function PollClosing({ loaderData: { post }, actionData }: Route.ComponentProps) {
  return (
    <PostConfirmationPage
      heading="Encerrar a enquete"
      post={post}
      means="Ninguém vota mais, e o resultado aparece para quem vê a publicação."
      button={<Button variant="ink">Encerrar</Button>}
      message={actionData?.message}
    />
  );
}
