import { data } from "react-router";
import type { MiddlewareFunction } from "react-router";
import { isClerkConfigured } from "#app/lib/clerk.ts";
import { cloudflareContext } from "#app/http/contexts.ts";
import { isEmbeddedOnly } from "#app/lib/embedded-only.ts";

/** A 404 with Clerk, for pages of the embedded identity. */
export const embeddedOnlyMiddleware: MiddlewareFunction<Response> = ({ url, context }) => {
  const { env } = context.get(cloudflareContext);
  if (isClerkConfigured(env) && isEmbeddedOnly(url.pathname))
    throw data({ message: "Esta página não existe aqui." }, { status: 404 });
};
