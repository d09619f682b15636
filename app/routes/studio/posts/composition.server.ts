import type { z } from "zod";
import {
  placementRefusal,
  placementStatements,
} from "#app/domain/collections/commands/placing.server.ts";
import { activeCollectionsStatement } from "#app/domain/collections/queries/studio.server.ts";
import type { Context } from "#app/domain/context.ts";
import { documentsStatement } from "#app/domain/documents/queries.server.ts";
import { uploadBytes } from "#app/domain/media/commands.server.ts";
import { pickedMedia } from "#app/domain/media/schema.ts";
import { formatMoney } from "#app/domain/money.ts";
import { plansFromRows, plansOfCreatorStatement } from "#app/domain/plans/queries.server.ts";
import { sellingProblem } from "#app/domain/plans/rules.ts";
import { intervalLabel } from "#app/domain/plans/rules/intervals.ts";
import type { Composition } from "#app/domain/posts/commands/save.server.ts";
import { rulesOfChoice } from "#app/domain/posts/rules/composing.ts";
import { actingPersonId } from "#app/domain/teams/rules/actor.ts";
import { feeChangesStatement, currentFee } from "#app/domain/payments/fees/queries.server.ts";
import type { Actor } from "#app/domain/teams/rules/actor.ts";
import type { draftSchema } from "#app/domain/posts/schema/composing.ts";
import { parsePollForm } from "#app/domain/posts/schema/polls.ts";

/**
 * Loads what a composer offers its author, in one round trip: plans on sale, collections, and
 * whether sales are open.
 */
export async function composerChoices(ctx: Context, { authorId }: { authorId: string }) {
  const [planRows, collections, [documents = null], fees] = await ctx.db.batch([
    plansOfCreatorStatement(ctx, { creatorId: authorId, states: ["active"] }),
    activeCollectionsStatement(ctx, { creatorId: authorId }),
    documentsStatement(ctx, { personId: authorId }),
    feeChangesStatement(ctx, { creatorId: authorId }),
  ]);
  return {
    plans: plansFromRows(planRows).map(({ id, name, prices: [price] }) => ({
      id,
      name,
      price: price ? `${formatMoney(price.amountCents)} ${intervalLabel(price.interval)}` : "",
    })),
    collections: collections.map(({ id, title }) => ({ id, title })),
    selling: {
      feeBasisPoints: currentFee(ctx, fees),
      canSell: sellingProblem(documents, ctx.now()) === null,
    },
  };
}

/** Parses and checks a composer's form into the input of the commands. */
export async function compositionOf(
  ctx: Context,
  form: z.infer<typeof draftSchema>,
  actor: Actor,
): Promise<Composition> {
  const authorId = actor.space.personId;
  const postId = form.postId ?? ctx.newId();
  const {
    version,
    tab = postId,
    title,
    content,
    teaser,
    isSensitive,
    mailTo,
    removesImage,
    image,
    imageAlt,
    collectionIds,
  } = form;
  return {
    postId,
    version,
    tab,
    authorId,
    actedBy: actingPersonId(actor),
    title,
    content,
    teaser,
    isSensitive,
    mailTo,
    removesImage,
    rules: rulesOfChoice(form),
    image: image ? { bytes: await uploadBytes(image, "image"), alt: imageAlt } : null,
    poll: parsePollForm(form),
    media: form.hasPicker ? pickedMedia(form) : null,
    extraWrites: placementStatements(ctx, { postId, collectionIds, creatorId: authorId }),
    extraWritesRefusal: placementRefusal,
  };
}
