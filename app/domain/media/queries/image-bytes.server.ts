import type { Context } from "#app/domain/context.ts";
import { mediaKey } from "#app/domain/media/rules.ts";
import type { MediaVariant } from "#app/domain/media/schema.ts";

/** Reads the stored bytes of an image, to save it again elsewhere; null if they are gone. */
export async function imageBytes(
  ctx: Context,
  { mediaId, variant }: { mediaId: string; variant: MediaVariant },
): Promise<ArrayBuffer | null> {
  const object = await ctx.mediaStore.get(mediaKey(mediaId, variant));
  return object && (await new Response(object.body).arrayBuffer());
}
