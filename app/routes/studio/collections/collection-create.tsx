import { CollectionForm } from "#app/components/collections/collection-form.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { createCollection } from "#app/domain/collections/commands.server.ts";
import { collectionSchema } from "#app/domain/collections/schema.ts";
import { creatorFee } from "#app/domain/payments/fees/queries.server.ts";
import { submitForSpace, requireWriter } from "#app/http/acting.server.ts";
import { domainContext } from "#app/http/contexts.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import { collectionInputOf } from "./collection-confirmation.server.ts";
import type { Route } from "./+types/collection-create.ts";

const EMPTY = {};

export const meta: Route.MetaFunction = () => [{ title: "Nova coleção · Coreto" }];

export async function loader({ context }: Route.LoaderArgs) {
  const actor = requireWriter({ context }, "posts:publish");
  return {
    mayPrice: actor.may("plans:edit"),
    feeBasisPoints: await creatorFee(context.get(domainContext), {
      creatorId: actor.space.personId,
    }),
  };
}

export async function action({ request, context }: Route.ActionArgs) {
  return submitForSpace(
    { request, context },
    "posts:publish",
    collectionSchema,
    async (form, actor) => {
      const input = await collectionInputOf(form, actor, null);
      const { collectionId } = await createCollection(context.get(domainContext), {
        creatorId: actor.space.personId,
        ...input,
      });
      return redirectWithToast(request, `/collection/${collectionId}/import`, {
        kind: "success",
        message: "Coleção criada. Agora escolha o que entra nela.",
      });
    },
  );
}

export default function CollectionCreate({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <>
      <PageHeader
        title="Nova coleção"
        lead="Publicações que se seguem, juntas e na ordem que você quiser."
      />
      <Card className="p-5 sm:p-6">
        <CollectionForm
          {...loaderData}
          values={EMPTY}
          coverMediaId={null}
          problem={actionData}
          submitLabel="Criar coleção"
        />
      </Card>
    </>
  );
}
