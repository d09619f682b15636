import { Form } from "react-router";
import { CollectionForm } from "#app/components/collections/collection-form.tsx";
import { ActingField } from "#app/components/shell/acting/acting-field.tsx";
import { Button, ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { requireCollection, updateCollection } from "#app/domain/collections/commands.server.ts";
import { collectionSchema } from "#app/domain/collections/schema.ts";
import { creatorFee } from "#app/domain/payments/fees/queries.server.ts";
import { submitForSpace } from "#app/http/acting.server.ts";
import { domainContext } from "#app/http/contexts.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import {
  collectionInputOf,
  livingOwnCollection,
  typedPrice,
} from "./collection-confirmation.server.ts";
import type { Route } from "./+types/collection-edit.ts";

export const meta: Route.MetaFunction = () => [{ title: "Editar coleção · Coreto" }];

export async function loader(args: Route.LoaderArgs) {
  const { collection, actor } = await livingOwnCollection(args);
  const { title, description, priceCents, coverAlt, coverMediaId } = collection;
  return {
    values: { title, description, price: typedPrice(priceCents), coverAlt },
    coverMediaId,
    mayPrice: actor.may("plans:edit"),
    feeBasisPoints: await creatorFee(args.context.get(domainContext), {
      creatorId: actor.space.personId,
    }),
  };
}

export async function action({ request, context, params }: Route.ActionArgs) {
  const ctx = context.get(domainContext);
  return submitForSpace(
    { request, context },
    "posts:publish",
    collectionSchema,
    async (form, actor) => {
      const own = { collectionId: params.id, creatorId: actor.space.personId };
      const { priceCents } = await requireCollection(ctx, own);
      await updateCollection(ctx, {
        ...own,
        ...(await collectionInputOf(form, actor, priceCents)),
      });
      return redirectWithToast(request, `/collection/${params.id}`, {
        kind: "success",
        message: "Coleção salva.",
      });
    },
  );
}

export default function CollectionEdit({ loaderData, actionData, params }: Route.ComponentProps) {
  return (
    <>
      <PageHeader title="Editar coleção">
        <ButtonLink to={`/collection/${params.id}`} variant="outline" size="sm">
          Ver
        </ButtonLink>
        <ButtonLink to={`/collection/${params.id}/posts`} variant="outline" size="sm">
          Organizar
        </ButtonLink>
        <Form method="post" action={`/collection/${params.id}/deletion`}>
          <ActingField />
          <Button variant="ghost" size="sm">
            Apagar
          </Button>
        </Form>
      </PageHeader>
      <Card className="p-5 sm:p-6">
        <CollectionForm {...loaderData} problem={actionData} submitLabel="Salvar" />
      </Card>
    </>
  );
}
