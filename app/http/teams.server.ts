import type { RouterContextProvider } from "react-router";
import type { Context } from "#app/domain/context.ts";
import { storeImage, uploadBytes } from "#app/domain/media/commands.server.ts";
import {
  TeamManagedByProvider,
  TeamPermissionDenied,
  TeamNotFound,
} from "#app/domain/teams/errors.ts";
import { memberSeat } from "#app/domain/teams/queries.server.ts";
import { isPermitted, teamPositionOf } from "#app/domain/teams/rules.ts";
import type { Permission } from "#app/domain/teams/rules.ts";
import type { Seat } from "#app/domain/teams/schema.ts";
import { domainContext, memberContext } from "./contexts.ts";
import { throwRefusals } from "./refusal.ts";

/**
 * The team of a page's address, with the viewer's role in it. A 404 for a non-member. Without
 * `permission` there, 403. A team stored at the identity provider cannot be changed here (409).
 */
export async function requireSeat(
  { context, slug }: { context: Readonly<RouterContextProvider>; slug: string },
  permission?: Permission,
): Promise<Seat> {
  return throwRefusals(async () => {
    const seat = await memberSeat(context.get(domainContext), {
      slug: slug.toLowerCase(),
      personId: context.get(memberContext).id,
    });
    if (!seat) throw new TeamNotFound();
    if (permission && !isPermitted(teamPositionOf(seat), permission))
      throw new TeamPermissionDenied();
    if (permission && seat.provider !== null) throw new TeamManagedByProvider();
    return seat;
  });
}

/**
 * Saves a form's logo; null without one. Refuses a file that is not an image, with the error at its
 * field.
 */
export async function saveLogo(
  ctx: Context,
  { ownerId, name, logo }: { ownerId: string; name: string; logo: File | undefined },
): Promise<string | null> {
  if (!logo) return null;
  const { mediaId } = await storeImage(ctx, {
    ownerId,
    purpose: "avatar",
    bytes: await uploadBytes(logo, "logo"),
    alt: `Logo de ${name}`,
    field: "logo",
  });
  return mediaId;
}
