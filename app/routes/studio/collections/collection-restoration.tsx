import { ConfirmationPage } from "#app/components/shell/confirmation-page.tsx";
import { Button } from "#app/components/ui/button.tsx";
import { restoreCollection } from "#app/domain/collections/commands.server.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import { actOnCollection, anyOwnCollection } from "./collection-confirmation.server.ts";
import type { Route } from "./+types/collection-restoration.ts";

export const meta: Route.MetaFunction = () => [{ title: "Trazer coleção de volta · Coreto" }];

export async function loader(args: Route.LoaderArgs) {
  return { title: (await anyOwnCollection(args)).collection.title };
}

export function action(args: Route.ActionArgs) {
  return actOnCollection(args, restoreCollection, () =>
    redirectWithToast(args.request, `/collection/${args.params.id}`, {
      kind: "success",
      message: "A coleção voltou.",
    }),
  );
}

export default function CollectionRestoration({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <ConfirmationPage
      heading="Trazer de volta"
      title={loaderData.title}
      means="Ela volta como estava, com a ordem, a capa e o preço."
      button={<Button>Trazer de volta</Button>}
      backTo="/me/collections"
      message={actionData?.message}
    />
  );
}
