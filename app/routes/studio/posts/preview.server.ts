import type { z } from "zod";
import type { PostInWriting } from "#app/components/composer/reader-preview.tsx";
import type { Context } from "#app/domain/context.ts";
import { storeImage, uploadBytes } from "#app/domain/media/commands.server.ts";
import { ownedMedia } from "#app/domain/media/queries.server.ts";
import { mediaUrl } from "#app/domain/media/rules.ts";
import { pickedMedia } from "#app/domain/media/schema.ts";
import type { MediaItem } from "#app/domain/media/schema.ts";
import { plansOfCreator } from "#app/domain/plans/queries.server.ts";
import { postToEdit } from "#app/domain/posts/queries/studio.server.ts";
import { audienceLabel } from "#app/domain/posts/rules.ts";
import { toPostBody } from "#app/domain/posts/rules/cards.ts";
import { rulesOfChoice } from "#app/domain/posts/rules/composing.ts";
import type { draftSchema } from "#app/domain/posts/schema/composing.ts";
import { parsePollForm } from "#app/domain/posts/schema/polls.ts";
import { profileOfPerson } from "#app/domain/profiles/queries.server.ts";
import type { Actor } from "#app/domain/teams/rules/actor.ts";

type DraftForm = z.infer<typeof draftSchema>;

/**
 * Returns what is typed as its reader will see it, and stores nothing of the post. `media` are its
 * files, as `mediaOfForm` returns them.
 */
export async function postInWriting(
  ctx: Context,
  { form, media, actor }: { form: DraftForm; media: MediaItem[]; actor: Actor },
): Promise<PostInWriting> {
  const { personId, name } = actor.space;
  const [profile, plans] = await Promise.all([
    profileOfPerson(ctx, { personId }),
    plansOfCreator(ctx, { creatorId: personId, states: ["active"] }),
  ]);
  const body = toPostBody({ content: form.content, media, isSensitive: form.isSensitive });
  const poll = parsePollForm(form);
  return {
    author: {
      name: profile?.name ?? name,
      avatarUrl: profile?.avatarMediaId ? mediaUrl(profile.avatarMediaId, "320") : null,
    },
    audience: audienceLabel(
      rulesOfChoice(form),
      plans.filter(({ id }) => form.planIds.includes(id)),
    ),
    title: form.title,
    html: body.html ?? "",
    files: body.files,
    isSensitive: form.isSensitive,
    poll: poll && { question: poll.question, options: poll.options },
  };
}

/**
 * Returns the files that the post would have. The form without JavaScript has one image, which
 * replaces the others: it is stored here, so that it need not be chosen again.
 */
export async function mediaOfForm(
  ctx: Context,
  form: DraftForm,
  authorId: string,
): Promise<MediaItem[]> {
  const picked = form.hasPicker ? pickedMedia(form) : [];
  const owned = await ownedMedia(ctx, {
    ownerId: authorId,
    mediaIds: picked.map(({ mediaId }) => mediaId),
  });
  const described = owned.map((item) => ({
    ...item,
    alt: picked.find(({ mediaId }) => mediaId === item.id)?.alt ?? item.alt,
  }));
  if (form.image) return [await storedImage(ctx, form, authorId), ...described];
  if (form.hasPicker || form.removesImage || !form.postId) return described;
  return (await postToEdit(ctx, { postId: form.postId, authorId }))?.media ?? [];
}

async function storedImage(ctx: Context, form: DraftForm, ownerId: string): Promise<MediaItem> {
  const { mediaId } = await storeImage(ctx, {
    ownerId,
    purpose: "post",
    bytes: await uploadBytes(form.image as File, "image"),
    alt: form.imageAlt,
    field: "image",
  });
  const [item] = await ownedMedia(ctx, { ownerId, mediaIds: [mediaId] });
  if (!item) throw new Error("The image that was just stored is not there.");
  return item;
}
