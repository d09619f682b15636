import type { Context } from "#app/domain/context.ts";
import type { EditableEvent } from "#app/domain/events/queries/editable.server.ts";
import { imageBytes } from "#app/domain/media/queries/image-bytes.server.ts";
import { storedPost } from "#app/domain/posts/queries/studio.server.ts";
import type { PostState } from "#app/domain/posts/rules/composing.ts";

/** So often a recording may be published again after its post was deleted. */
const IDS_TRIED = 20;

/**
 * Finds the post of an event's recording, or the id of a new one, whose state is null. It is the
 * event's id, so that two clicks write one post; where that post was deleted or is somebody else's,
 * a number follows.
 */
export async function recordingPost(
  ctx: Context,
  { eventId, creatorId }: { eventId: string; creatorId: string },
): Promise<{ postId: string; state: PostState | null }> {
  for (let number = 1; number <= IDS_TRIED; number += 1) {
    const postId = number === 1 ? eventId : `${eventId}-${number}`;
    const stored = await storedPost(ctx, { postId });
    if (!stored) return { postId, state: null };
    if (stored.authorId === creatorId && stored.deletedAt === null)
      return { postId, state: stored.state };
  }
  return { postId: ctx.newId(), state: null };
}

/** The picture of the post: a copy of the event's cover, with access of its own. */
export async function recordingPicture(
  ctx: Context,
  { coverMediaId, coverAlt }: Pick<EditableEvent, "coverMediaId" | "coverAlt">,
): Promise<{ bytes: ArrayBuffer; alt: string } | null> {
  if (coverMediaId === null) return null;
  const bytes = await imageBytes(ctx, { mediaId: coverMediaId, variant: "1280" });
  return bytes && { bytes, alt: coverAlt ?? "" };
}
