import { data, redirect } from "react-router";
import type { MiddlewareFunction, RouterContextProvider } from "react-router";
import { resolveActor } from "./acting.server.ts";
import {
  actorContext,
  cloudflareContext,
  domainContext,
  memberContext,
  identityUnavailableContext,
  incompleteMemberContext,
  draftFormContext,
  viewerContext,
} from "./contexts.ts";
import { restoreDraftForm } from "#app/http/checkout/draft-form.server.ts";
import { withCookies } from "#app/lib/cookies.ts";
import { readTypedForm } from "./form.ts";
import { finishPath, loginPath } from "#app/lib/own-path.ts";
import type { TransportError } from "#app/lib/form-problem.ts";

/**
 * Whoever is not signed in goes to the sign-in page, who has not finished their profile goes to do
 * it, and from there back to where they were going. Others act for a page, most for their own.
 */
export const requireMember: MiddlewareFunction<Response> = async (
  { request, url, context },
  next,
) => {
  await refuseIdentityUnknown(request, url, context);
  const viewer = context.get(viewerContext);
  const here = url.pathname + url.search;
  if (!viewer)
    throw redirect(context.get(incompleteMemberContext) ? finishPath(here) : loginPath(here));
  context.set(memberContext, viewer);
  const { actor, cookie } = await resolveActor(context.get(domainContext), request, viewer);
  context.set(actorContext, actor);
  const response = await next();
  return cookie === null ? response : withCookies(response, new Headers({ "Set-Cookie": cookie }));
};

/**
 * Who pays may have no account yet; somebody half signed in finishes that first. Who signed in
 * again is given back what they typed, once.
 */
export const memberOrGuest: MiddlewareFunction<Response> = async (
  { request, url, context },
  next,
) => {
  await refuseIdentityUnknown(request, url, context);
  const viewer = context.get(viewerContext);
  const path = url.pathname + url.search;
  if (!viewer && context.get(incompleteMemberContext)) throw redirect(finishPath(path));
  const at = {
    env: context.get(cloudflareContext).env,
    path,
    now: context.get(domainContext).realNow(),
  };
  const unsent =
    viewer && request.method === "GET" ? await restoreDraftForm(at, request, viewer.id) : null;
  if (!unsent) return next();
  context.set(draftFormContext, unsent.values);
  return withCookies(await next(), new Headers({ "Set-Cookie": unsent.cookie }));
};

/**
 * While nobody can tell who is signed in, a page that must know says so, and gives back what was
 * typed.
 */
export async function refuseIdentityUnknown(
  request: Request,
  url: URL,
  context: Readonly<RouterContextProvider>,
): Promise<void> {
  const message = context.get(identityUnavailableContext);
  if (message === null) return;
  const isRead = request.method === "GET" || request.method === "HEAD";
  const unheard: TransportError = {
    message,
    path: url.pathname + url.search,
    typed: isRead ? null : await readTypedForm(request),
  };
  throw data(unheard, { status: 503 });
}

/** Below `requireMember`: only for the staff. For anyone else the page does not exist. */
export const requireModerator: MiddlewareFunction<Response> = ({ context }) => {
  if (!context.get(memberContext).isModerator) throw data(null, { status: 404 });
};
