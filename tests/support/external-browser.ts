import type { MiddlewareFunction } from "react-router";
import type { Env } from "#app/configuration/env.ts";
import { requireMember } from "#app/http/require-member.ts";
import * as confirm from "#app/routes/auth/account/confirm.tsx";
import * as offer from "#app/routes/auth/account/sign-in-methods/connection-offer.tsx";
import * as removal from "#app/routes/auth/account/sign-in-methods/connection-removal.tsx";
import * as connections from "#app/routes/auth/account/sign-in-methods/connections.tsx";
import * as password from "#app/routes/auth/account/sign-in-methods/password.tsx";
import * as wallets from "#app/routes/auth/account/sign-in-methods/wallets.tsx";
import * as login from "#app/routes/auth/login.tsx";
import * as callback from "#app/routes/auth/external-callback.tsx";
import * as outside from "#app/routes/auth/external-sign-in.tsx";
import * as challenge from "#app/routes/auth/wallet-challenge.ts";
import * as wallet from "#app/routes/auth/wallet.tsx";
import { viewerContext } from "#app/http/contexts.ts";
import { accountBrowser } from "./account-browser.ts";
import type { AccountBrowser } from "./account-browser.ts";
import { createRouteCaller } from "./call-route.ts";
import { testEnv } from "./worker-env.ts";
import type { LoaderFunctionArgs } from "react-router";

const whoami = {
  loader: ({ context }: LoaderFunctionArgs) => Response.json(context.get(viewerContext)),
};
const members = { middleware: [requireMember as MiddlewareFunction] };

/**
 * A browser on a product that has external providers configured. Pass the cookies of a signed-in
 * member, or none.
 */
export function externalSignInBrowser(
  env: Partial<Env>,
  cookies?: Map<string, string>,
): AccountBrowser {
  const ask = createRouteCaller(
    [
      { path: "who", module: whoami },
      { path: "auth/login", module: login },
      { path: "auth/wallet", module: wallet },
      { path: "auth/wallet/challenge", module: challenge },
      { path: "auth/outside/:provider", module: outside },
      { path: "auth/outside/:provider/callback", module: callback },
      { path: "auth/confirm", module: confirm, ...members },
      { path: "auth/account/password", module: password, ...members },
      { path: "auth/account/wallets", module: wallets, ...members },
      { path: "auth/account/connections", module: connections, ...members },
      { path: "auth/account/connections/offer", module: offer, ...members },
      { path: "auth/account/connections/:accountId/removal", module: removal, ...members },
    ],
    { ...testEnv, ...env },
  );
  return accountBrowser(ask, cookies);
}
