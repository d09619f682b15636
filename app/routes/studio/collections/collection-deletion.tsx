import { redirect } from "react-router";
import { ConfirmationPage } from "#app/components/shell/confirmation-page.tsx";
import { Button } from "#app/components/ui/button.tsx";
import { deleteCollection } from "#app/domain/collections/commands.server.ts";
import { buyersSummary } from "#app/domain/purchases/queries.server.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import { actOnCollection, anyOwnCollection } from "./collection-confirmation.server.ts";
import type { Route } from "./+types/collection-deletion.ts";

export const meta: Route.MetaFunction = () => [{ title: "Apagar coleção · Coreto" }];

export async function loader(args: Route.LoaderArgs) {
  return { title: (await anyOwnCollection(args)).collection.title };
}

/** Deletes at once, with a way back. Where somebody paid for the collection, the page asks first. */
export async function action(args: Route.ActionArgs) {
  await anyOwnCollection(args);
  return await actOnCollection(
    args,
    async (ctx, collection, isConfirmed) => {
      const sold = { kind: "collection", targetId: collection.collectionId } as const;
      if (!isConfirmed && (await buyersSummary(ctx, sold)).count > 0)
        throw redirect(`/collection/${collection.collectionId}/deletion`);
      await deleteCollection(ctx, collection);
    },
    () =>
      redirectWithToast(args.request, "/me/collections", {
        kind: "success",
        message: "Coleção apagada.",
        undo: `/collection/${args.params.id}/restoration`,
      }),
  );
}

export default function CollectionDeletion({
  loaderData,
  actionData,
  params,
}: Route.ComponentProps) {
  return (
    <ConfirmationPage
      heading="Apagar coleção"
      title={loaderData.title}
      means="As publicações continuam no ar, só deixam de estar juntas. Por 30 dias você pode trazer a coleção de volta, em Coleções."
      button={
        <Button variant="danger" name="confirmed" value="true">
          Apagar
        </Button>
      }
      backTo={`/collection/${params.id}`}
      message={actionData?.message}
    />
  );
}
