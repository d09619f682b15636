import { redirect } from "react-router";
import { PostConfirmationPage } from "#app/components/posts/own-posts/post-confirmation-page.tsx";
import { Button } from "#app/components/ui/button.tsx";
import { formatMoney } from "#app/domain/money.ts";
import { deletePost } from "#app/domain/posts/commands/lifecycle.server.ts";
import { buyersSummary } from "#app/domain/purchases/queries.server.ts";
import { countedFromTwo } from "#app/domain/text.ts";
import { domainContext } from "#app/http/contexts.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import { actOnPost, ownPost } from "./post-confirmation.server.ts";
import type { Route } from "./+types/post-deletion.ts";

export const meta: Route.MetaFunction = () => [{ title: "Apagar · Coreto" }];

export async function loader(args: Route.LoaderArgs) {
  const own = await ownPost(args);
  return {
    ...own,
    buyers: await buyersSummary(args.context.get(domainContext), {
      kind: "post",
      targetId: args.params.id,
    }),
  };
}

/** Deletes at once, with a way back. Where somebody paid for the post, the page asks first. */
export async function action(args: Route.ActionArgs) {
  await ownPost(args);
  return await actOnPost(
    args,
    async (ctx, post, isConfirmed) => {
      const sold = { kind: "post", targetId: post.postId } as const;
      if (!isConfirmed && (await buyersSummary(ctx, sold)).count > 0)
        throw redirect(`/post/${post.postId}/deletion`);
      await deletePost(ctx, post);
    },
    () =>
      redirectWithToast(args.request, "/me", {
        kind: "success",
        message: "Publicação apagada.",
        undo: `/post/${args.params.id}/restoration`,
      }),
  );
}

export default function PostDeletion({
  loaderData: { post, buyers },
  actionData,
}: Route.ComponentProps) {
  return (
    <PostConfirmationPage
      heading="Apagar publicação"
      post={post}
      means={`Ela some para todo mundo. Por 30 dias você pode trazer de volta, em Rascunhos.${boughtText(buyers)}`}
      button={
        <Button variant="danger" name="confirmed" value="true">
          Apagar
        </Button>
      }
      message={actionData?.message}
    />
  );
}

/** Explains what the deletion means for the buyers of the post. */
function boughtText({ count, amountCents }: { count: number; amountCents: number }): string {
  if (count === 0) return "";
  const who = countedFromTwo(count, "Uma pessoa comprou", "pessoas compraram");
  return ` ${who} esta publicação: daqui a um dia devolvemos ${formatMoney(amountCents)}, que saem do que você tem a receber. Se trouxer de volta antes, nada é devolvido.`;
}
