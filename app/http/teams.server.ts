import type { RouterContextProvider } from "react-router";
import type { Context } from "#app/domain/context.ts";
import { storeImage, uploadBytes } from "#app/domain/media/commands.server.ts";
import { KeptElsewhere, NotAllowed, NoSuchTeam } from "#app/domain/teams/errors.ts";
import { seatOf } from "#app/domain/teams/queries.server.ts";
import { allows, standingOf } from "#app/domain/teams/rules.ts";
import type { Permission } from "#app/domain/teams/rules.ts";
import type { Seat } from "#app/domain/teams/schema.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import { refusable } from "#app/http/refusal.ts";

/**
 * The team of a page's address as whoever asks sits in it. For who is not in it, it does not exist
 * (404); without `permission` there, 403; one that the identity provider keeps is not changed here
 * (409).
 */
export async function seatAt(
  { context, slug }: { context: Readonly<RouterContextProvider>; slug: string },
  permission?: Permission,
): Promise<Seat> {
  return refusable(async () => {
    const seat = await seatOf(context.get(domainContext), {
      slug: slug.toLowerCase(),
      personId: context.get(memberContext).id,
    });
    if (!seat) throw new NoSuchTeam();
    if (permission && !allows(standingOf(seat), permission)) throw new NotAllowed();
    if (permission && seat.provider !== null) throw new KeptElsewhere();
    return seat;
  });
}

/**
 * Keeps the logo that a form brought; null when it brought none. Refuses what is no image beside
 * the field.
 */
export async function keepLogo(
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
