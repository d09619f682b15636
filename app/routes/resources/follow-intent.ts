import { redirect } from "react-router";
import { follow } from "#app/domain/profiles/commands.server.ts";
import { profileFor } from "#app/domain/profiles/queries.server.ts";
import { domainContext, viewerContext } from "#app/http/contexts.ts";
import { followIntentCookie, followedText } from "#app/http/follow-intent.server.ts";
import { foundOr404, refusalOf } from "#app/http/refusal.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import { countedLink } from "#app/http/visits.server.ts";
import { linkMarkOf } from "#app/lib/link-mark.ts";
import { internalPath, registerPath } from "#app/lib/own-path.ts";
import type { Route } from "./+types/follow-intent.ts";

/** Only to parse a path. */
const BASE = "https://own.invalid";

/** Nothing is followed by opening the address. */
export function loader({ params }: Route.LoaderArgs) {
  return redirect(`/space/${params.username}/public`);
}

/**
 * "Seguir" on a page that knows nobody: a member follows at once, and anybody else after they have
 * signed up, or in, which the next page offers beside it.
 */
export async function action({ request, params, context }: Route.ActionArgs) {
  const ctx = context.get(domainContext);
  const viewer = context.get(viewerContext);
  const creator = foundOr404(await profileFor(ctx, { key: params.username, viewerId: null }));
  const page = `/space/${creator.username}`;
  const to = (await request.formData()).get("to");
  const back = internalPath(typeof to === "string" ? to : page, page);
  if (!viewer) {
    const cookie = followIntentCookie(creator.username);
    return redirect(registerPath(back), cookie ? { headers: { "Set-Cookie": cookie } } : {});
  }
  try {
    await follow(ctx, {
      followerId: viewer.id,
      creatorId: creator.id,
      link: countedLink(request, linkMarkOf(new URL(back, BASE).searchParams)),
    });
  } catch (error) {
    const message = refusalOf(error)?.message;
    if (message === undefined) throw error;
    return await redirectWithToast(request, back, { kind: "error", message });
  }
  const message = followedText(creator);
  return await redirectWithToast(request, back, { kind: "success", message });
}
