import { toCollectionSummary } from "#app/domain/collections/queries.server.ts";
import type { Context } from "#app/domain/context.ts";
import { plansFromRows } from "#app/domain/plans/queries.server.ts";
import { cardsFromRows } from "#app/domain/posts/queries.server.ts";
import { profileForViewer } from "#app/domain/profiles/queries.server.ts";
import { acceptsTips } from "#app/domain/purchases/tips/queries.server.ts";
import { isHiddenPath } from "#app/lib/uncompleted-features.ts";
import {
  COLLECTIONS_SHOWN,
  POSTS_PER_PAGE,
  spaceRows,
} from "#app/http/public-pages/space-rows.server.ts";
import type { SpaceRequest, SpaceRows } from "#app/http/public-pages/space-rows.server.ts";

/**
 * Loads all that the page of `key` shows to `viewerId`, in one round trip. Null when that page does
 * not exist for them.
 */
export async function loadSpace(ctx: Context, asked: SpaceRequest) {
  return spaceFromRows(ctx, asked, await spaceRows(ctx, asked));
}

/** Builds the page from the rows of `spaceStatements`. */
export function spaceFromRows(
  ctx: Context,
  { viewerId, cursor, isInside = false }: SpaceRequest,
  [profileRows, planRows, postRows, collections, events, pinnedRows, [tipRow], [away]]: SpaceRows,
) {
  const [profileRow] = profileRows;
  if (!profileRow) return null;
  const profile = profileForViewer(profileRow);
  const sells = acceptsTips(tipRow, ctx.now());
  return {
    profile,
    // A plan card leads to a checkout. When sales are closed, only the team and subscribers see the
    // cards.
    plans:
      profile.isAgeClosed ||
      !(sells || isInside || profile.isSelf || profile.heldSubscription !== null)
        ? []
        : plansFromRows(planRows),
    posts: cardsFromRows(ctx, postRows, viewerId, POSTS_PER_PAGE),
    pinned: cursor === null ? cardsFromRows(ctx, pinnedRows, viewerId, POSTS_PER_PAGE).items : [],
    collections: collections.slice(0, COLLECTIONS_SHOWN).map(toCollectionSummary),
    hasMoreCollections: collections.length > COLLECTIONS_SHOWN,
    nextEvent: isHiddenPath("/events", ctx.settings) ? null : (events[0] ?? null),
    acceptsTips: sells,
    awayUntil: away?.until ?? null,
    now: ctx.now(),
    origin: ctx.settings.appOrigin,
  };
}
