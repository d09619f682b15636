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
 * Requires a member. Others are redirected to sign in or to complete their profile, and from there
 * back. A member acts for a page, mostly their own.
 */
export const requireMember: MiddlewareFunction<Response> = async (
  { request, url, context },
  next,
) => {
  await refuseIdentityUnknown(request, url, context);
  const viewer = context.get(viewerContext);
  if (!viewer) throw await signInFirst(request, url, context);
  context.set(memberContext, viewer);
  const { actor, cookie } = await resolveActor(context.get(domainContext), request, viewer);
  context.set(actorContext, actor);
  const response = await next();
  return cookie === null ? response : withCookies(response, new Headers({ "Set-Cookie": cookie }));
};

/** Acts of one touch, and requests of scripts: nothing that was written goes with them. */
const WITHOUT_TEXT = /^\/resources\/|\/(block|challenge|follow|like|mute|options|pin|vote)$/;

/**
 * Leads to sign-in and back. A form that was sent stays where it is, with what was typed: the
 * person signs in beside it and sends it again.
 */
async function signInFirst(
  request: Request,
  url: URL,
  context: Readonly<RouterContextProvider>,
): Promise<unknown> {
  const here = url.pathname + url.search;
  if (context.get(incompleteMemberContext)) return redirect(finishPath(here));
  if (!isForm(request) || WITHOUT_TEXT.test(url.pathname)) return redirect(loginPath(here));
  const unsent: TransportError = {
    message: "A sua sessão terminou. Entre em outra aba e envie de novo: o texto continua aqui.",
    path: here,
    typed: await readTypedForm(request),
    link: { to: "/auth/login", text: "Entrar" },
  };
  return data(unsent, { status: 401 });
}

const isForm = (request: Request): boolean =>
  request.method === "POST" &&
  /^(application\/x-www-form-urlencoded|multipart\/form-data)/.test(
    request.headers.get("Content-Type") ?? "",
  );

/**
 * Allows a member or a guest, since a payer may have no account yet. A half-completed sign-in must
 * be finished first. Restores once what a member typed before signing in again.
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
 * Shows that the viewer is unknown while the identity provider does not answer, with the typed
 * input.
 */
export async function refuseIdentityUnknown(
  request: Request,
  url: URL,
  context: Readonly<RouterContextProvider>,
): Promise<void> {
  const message = context.get(identityUnavailableContext);
  if (message === null) return;
  const isRead = request.method === "GET" || request.method === "HEAD";
  const transportError: TransportError = {
    message,
    path: url.pathname + url.search,
    typed: isRead ? null : await readTypedForm(request),
  };
  throw data(transportError, { status: 503 });
}

/** Requires staff, below `requireMember`. A 404 for anyone else. */
export const requireModerator: MiddlewareFunction<Response> = ({ context }) => {
  if (!context.get(memberContext).isModerator) throw data(null, { status: 404 });
};
