import type { RouterContextProvider } from "react-router";
import { toTaxId, formatTaxId } from "#app/domain/identity/tax-ids/rules.ts";
import { isClerkConfigured } from "#app/lib/clerk.ts";
import { cloudflareContext, domainContext, viewerContext } from "#app/http/contexts.ts";
import { loginPath, registerPath } from "#app/lib/own-path.ts";
import { embedded } from "#app/http/identity/embedded.server.ts";

/**
 * The payment page's fields for a visitor without a session. `values` is this browser's input
 * within the last half hour.
 */
export type GuestView = {
  loginPath: string;
  registerPath: string;
  mayPay: boolean;
  values: Record<string, string>;
};

/**
 * The guest fields; null for a member. With Clerk, whose accounts are created on its own screens, a
 * guest signs in first (`mayPay` false).
 */
export async function guestView({
  request,
  context,
  url,
}: {
  request: Request;
  context: Readonly<RouterContextProvider>;
  url: URL;
}): Promise<GuestView | null> {
  if (context.get(viewerContext)) return null;
  const { env } = context.get(cloudflareContext);
  const here = url.pathname + url.search;
  const mayPay = !isClerkConfigured(env);
  const pending =
    mayPay && request.headers.has("Cookie")
      ? await embedded({
          env,
          ctx: context.get(domainContext),
          request,
        }).registration.waitingRegistration()
      : null;
  const { name, email, birthDate, taxId, termsVersion } = pending ?? {
    name: null,
    email: null,
    birthDate: null,
    taxId: null,
    termsVersion: null,
  };
  const typed = {
    name,
    email,
    birthDate: birthDate?.split("-").toReversed().join("/"),
    taxId: taxId && formatTaxId(toTaxId(taxId)),
    termsVersion,
  };
  return {
    loginPath: loginPath(here),
    registerPath: registerPath(here),
    mayPay,
    values: Object.fromEntries(
      Object.entries(typed).flatMap(([key, value]) => (value ? [[key, value]] : [])),
    ),
  };
}
