import { data } from "react-router";
import type { MiddlewareFunction } from "react-router";
import { isClerkConfigured } from "#app/lib/clerk.ts";
import { cloudflareContext } from "./contexts.ts";
import { isEmbeddedOnly } from "#app/lib/embedded-only.ts";

/** With Clerk, a page that only the embedded identity has does not exist. */
export const embeddedOnlyMiddleware: MiddlewareFunction<Response> = ({ url, context }) => {
  const { env } = context.get(cloudflareContext);
  if (isClerkConfigured(env) && isEmbeddedOnly(url.pathname))
    throw data({ message: "Esta página não existe aqui." }, { status: 404 });
};
