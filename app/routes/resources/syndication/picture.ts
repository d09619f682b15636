import { redirect } from "react-router";
import type { Context } from "#app/domain/context.ts";
import { collectionFor } from "#app/domain/collections/queries.server.ts";
import { postFor } from "#app/domain/posts/queries.server.ts";
import { profileByUsername } from "#app/domain/profiles/queries.server.ts";
import { spaceAddress } from "#app/domain/profiles/rules.ts";
import {
  collectionPicture,
  collectionPicturePath,
  coverPath,
  coverPicture,
  postPicture,
  postPicturePath,
  spacePicture,
  spacePicturePath,
  storyPicture,
  storyPicturePath,
} from "#app/domain/syndication/rules/pictures.ts";
import type { Picture } from "#app/domain/syndication/schema.ts";
import { domainContext } from "#app/http/contexts.ts";
import type { Route } from "./+types/picture.ts";

/**
 * The picture of an address never changes. The edge revalidates it within ten minutes, so that a
 * moderation hold or an adult mark takes effect there too.
 */
const DRAWN = "public, max-age=604800, s-maxage=600";
const MOVED = "public, max-age=0, s-maxage=60";

/**
 * Returns the preview image of a page, post or collection. It shows only what every visitor can
 * know.
 */
export async function loader({ context, params, url }: Route.LoaderArgs): Promise<Response> {
  const ctx = context.get(domainContext);
  const asked = await pictureOf(ctx, params);
  if (!asked) return nothingToShow();
  if (url.pathname !== asked.path)
    return redirect(asked.path, { status: 302, headers: { "Cache-Control": MOVED } });
  const png = await ctx.pictures.draw(asked.picture);
  if (!png) return nothingToShow();
  return new Response(png, {
    headers: {
      "Content-Type": "image/png",
      "Cache-Control": DRAWN,
      "Cross-Origin-Resource-Policy": "cross-origin",
      "Content-Security-Policy": "default-src 'none'; sandbox",
    },
  });
}

type Asked = { picture: Picture; path: string };

/** Loads what the image shows. Null for what a visitor cannot know of. */
async function pictureOf(
  ctx: Context,
  { kind, key }: { kind: string; key: string },
): Promise<Asked | null> {
  if (kind === "post") {
    const post = await postFor(ctx, { postId: key, viewerId: null });
    return post && { picture: postPicture(post), path: postPicturePath(post) };
  }
  if (kind === "collection") {
    const shown = await collectionFor(ctx, {
      collectionId: key,
      viewerId: null,
      cursor: null,
      limit: 1,
    });
    return shown && { picture: collectionPicture(shown), path: collectionPicturePath(shown) };
  }
  if (kind !== "space" && kind !== "cover" && kind !== "story") return null;
  const profile = await profileByUsername(ctx, { username: key });
  if (!profile) return null;
  if (kind === "story") {
    const address = ctx.settings.appOrigin + spaceAddress(profile.username);
    return { picture: storyPicture(profile, address), path: storyPicturePath(profile, address) };
  }
  return kind === "space"
    ? { picture: spacePicture(profile), path: spacePicturePath(profile) }
    : { picture: coverPicture(profile), path: coverPath(profile) };
}

function nothingToShow(): Response {
  return new Response("Não encontramos esta imagem.", {
    status: 404,
    headers: { "Content-Type": "text/plain; charset=utf-8" },
  });
}
