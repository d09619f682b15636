import { redirect } from "react-router";
import type { MiddlewareFunction } from "react-router";
import { follow } from "#app/domain/profiles/commands.server.ts";
import { profileFor } from "#app/domain/profiles/queries.server.ts";
import { requestCookie } from "#app/lib/cookies.ts";
import { linkMarkOf } from "#app/lib/link-mark.ts";
import { didWriteContext, domainContext, memberContext } from "./contexts.ts";
import { refusalOf } from "./refusal.ts";
import { redirectWithToast } from "./toast.server.ts";
import { countedLink } from "./visits.server.ts";

const NAME = "__Host-coreto-follow";
const ATTRIBUTES = "Path=/; HttpOnly; Secure; SameSite=Lax";
/** Long enough for a sign-up with its code. */
const LIFE_SECONDS = 60 * 60;
const USERNAME = /^[\w.-]{1,64}$/;

/**
 * Remembers whom a visitor asked to follow, until they have signed in or up. Null for what is no
 * username. Only our own form sets it: a link from elsewhere makes nobody follow.
 */
export function followIntentCookie(username: string): string | null {
  return USERNAME.test(username)
    ? `${NAME}=${username}; ${ATTRIBUTES}; Max-Age=${LIFE_SECONDS}`
    : null;
}

/** Said to whoever followed from a page that knows nobody. */
export const followedText = ({ name }: { name: string }): string => `Agora você segue ${name}.`;

/**
 * On the first page after signing in or up: follows whom the visitor asked to, once, and says so.
 * Runs after `requireMember`.
 */
export const followAsIntended: MiddlewareFunction<Response> = async (
  { request, url, context },
  next,
) => {
  const username = requestCookie(request, NAME);
  if (!username || request.method !== "GET") return await next();
  const headers = new Headers({ "Set-Cookie": `${NAME}=; ${ATTRIBUTES}; Max-Age=0` });
  const here = url.pathname + url.search;
  const ctx = context.get(domainContext);
  const creator = USERNAME.test(username)
    ? await profileFor(ctx, { key: username, viewerId: null })
    : null;
  if (!creator) throw redirect(here, { headers });
  context.set(didWriteContext, true);
  try {
    await follow(ctx, {
      followerId: context.get(memberContext).id,
      creatorId: creator.id,
      link: countedLink(request, linkMarkOf(url.searchParams)),
    });
  } catch (error) {
    const message = refusalOf(error)?.message;
    if (message === undefined) throw error;
    return await redirectWithToast(request, here, { kind: "error", message }, headers);
  }
  const message = followedText(creator);
  return await redirectWithToast(request, here, { kind: "success", message }, headers);
};
