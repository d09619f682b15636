import type { RouterContextProvider } from "react-router";
import { toTaxId, formatTaxId } from "#app/domain/identity/tax-ids/rules.ts";
import { isClerkConfigured } from "#app/lib/clerk.ts";
import { cloudflareContext, domainContext, viewerContext } from "#app/http/contexts.ts";
import { loginPath, registerPath } from "#app/lib/own-path.ts";
import { embedded } from "#app/http/embedded.server.ts";

/**
 * What a payment page asks of who has no session; `values` is what this browser typed within the
 * last half hour.
 */
export type GuestView = {
  loginPath: string;
  registerPath: string;
  mayPay: boolean;
  values: Record<string, string>;
};

/**
 * Null for a member. With Clerk, whose accounts are made on its own screens, a guest signs in first
 * (`mayPay` false).
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
