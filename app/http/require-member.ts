import { data, redirect } from "react-router";
import type { MiddlewareFunction } from "react-router";
import { memberContext, viewerContext } from "#app/http/contexts.ts";
import { loginPath } from "#app/http/own-path.ts";

/** Whoever is not signed in goes to the sign-in page, and from there back to where they were going. */
export const requireMember: MiddlewareFunction<Response> = ({ url, context }) => {
  const viewer = context.get(viewerContext);
  if (!viewer) throw redirect(loginPath(url.pathname + url.search));
  context.set(memberContext, viewer);
};

/** Below `requireMember`: only for the staff. For anyone else the page does not exist. */
export const requireModerator: MiddlewareFunction<Response> = ({ context }) => {
  if (!context.get(memberContext).isModerator) throw data(null, { status: 404 });
};
