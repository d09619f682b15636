import type { BatchWrite } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { prepareImage } from "#app/domain/media/commands.server.ts";
import { describeMediaStatement } from "./companions.server.ts";

/** The cover of a form. */
export type CoverInput = {
  /** A new cover; null keeps the current one. */
  cover: { bytes: ArrayBuffer } | null;
  /** The alternative text of the new or current cover. */
  coverAlt: string;
  removesCover: boolean;
};

/** Prepares the image of a new cover; null without one. Refuses an invalid image. */
export async function preparedCover(
  ctx: Context,
  { cover, coverAlt, ownerId, defaultAlt }: CoverInput & { ownerId: string; defaultAlt: string },
) {
  return (
    cover &&
    (await prepareImage(ctx, {
      ownerId,
      purpose: "cover",
      bytes: cover.bytes,
      alt: coverAlt || defaultAlt,
      field: "cover",
    }))
  );
}

type PreparedCover = Awaited<ReturnType<typeof preparedCover>>;

/**
 * Builds the statements that save a cover: the new image before what shows it, so that a trigger
 * clears its unused mark; or the removal; or the new text of the current one. `shown` builds the
 * statement of what shows the cover.
 */
export function coverStatements(
  ctx: Context,
  {
    prepared,
    currentMediaId,
    ownerId,
    coverAlt,
    removesCover,
    shown,
  }: Omit<CoverInput, "cover"> & {
    prepared: PreparedCover;
    currentMediaId: string | null;
    ownerId: string;
    shown: (mediaId: string | null) => BatchWrite;
  },
): BatchWrite[] {
  if (prepared) return [prepared.statement, shown(prepared.mediaId)];
  if (removesCover) return [shown(null)];
  return currentMediaId === null
    ? []
    : [describeMediaStatement(ctx, { ownerId, mediaId: currentMediaId, alt: coverAlt })];
}
