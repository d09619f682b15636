import type { RouterContextProvider } from "react-router";
import { z } from "zod";
import type { CollectionInput } from "#app/domain/collections/commands.server.ts";
import { PriceNotYours } from "#app/domain/collections/errors.ts";
import { editableCollection } from "#app/domain/collections/queries/studio.server.ts";
import type { EditableCollection } from "#app/domain/collections/queries/studio.server.ts";
import type { collectionSchema } from "#app/domain/collections/schema.ts";
import type { Context } from "#app/domain/context.ts";
import { uploadBytes } from "#app/domain/media/commands.server.ts";
import type { Cents } from "#app/domain/money.ts";
import type { Actor } from "#app/domain/teams/rules/actor.ts";
import { requireActor, submitForSpace } from "#app/http/acting.server.ts";
import { domainContext } from "#app/http/contexts.ts";
import { foundOr404 } from "#app/http/refusal.ts";

type Routed = { context: Readonly<RouterContextProvider>; params: { id: string } };

/** Loads a collection of the page that the member acts for, deleted or not. */
export async function anyOwnCollection({
  context,
  params,
}: Routed): Promise<{ collection: EditableCollection; actor: Actor }> {
  const actor = requireActor({ context }, "posts:publish");
  const collection = await editableCollection(context.get(domainContext), {
    collectionId: params.id,
    creatorId: actor.space.personId,
  });
  return { collection: foundOr404(collection, "Não encontramos esta coleção."), actor };
}

/** Loads the same as `anyOwnCollection`, but refuses a deleted collection. */
export async function livingOwnCollection(
  routed: Routed,
): Promise<{ collection: EditableCollection; actor: Actor }> {
  const { collection, actor } = await anyOwnCollection(routed);
  return {
    collection: foundOr404(
      collection.deletedAt === null ? collection : null,
      "Esta coleção foi apagada. Ela pode voltar, em Coleções.",
    ),
    actor,
  };
}

/** `confirmed` comes from the page that says what an act means; a button elsewhere has none. */
const actSchema = z.object({ confirmed: z.literal("true").optional() });

/**
 * Runs `act` on the collection of the page that the member acts for, and answers with `done`. `act`
 * knows whether the member saw the page that says what it means.
 */
export function actOnCollection(
  { request, context, params }: Routed & { request: Request },
  act: (
    ctx: Context,
    collection: { collectionId: string; creatorId: string },
    isConfirmed: boolean,
  ) => Promise<unknown>,
  done: () => Promise<Response>,
) {
  return submitForSpace(
    { request, context },
    "posts:publish",
    actSchema,
    async ({ confirmed }, { space }) => {
      const collection = { collectionId: params.id, creatorId: space.personId };
      await act(context.get(domainContext), collection, confirmed === "true");
      return done();
    },
  );
}

/**
 * Converts a collection's form to the input of the commands. Refuses a changed price from a member
 * who cannot set prices.
 */
export async function collectionInputOf(
  form: z.infer<typeof collectionSchema>,
  actor: Actor,
  currentPriceCents: Cents | null,
): Promise<CollectionInput> {
  const { title, description, price: priceCents, cover, coverAlt, removesCover } = form;
  if (priceCents !== currentPriceCents && !actor.may("plans:edit")) throw new PriceNotYours();
  return {
    title,
    description,
    priceCents,
    cover: cover ? { bytes: await uploadBytes(cover, "cover") } : null,
    coverAlt,
    removesCover,
  };
}

/** Formats a price for its field, as `29,90`. Null is empty. */
export function typedPrice(priceCents: Cents | null): string {
  return priceCents === null ? "" : (priceCents / 100).toFixed(2).replace(".", ",");
}
