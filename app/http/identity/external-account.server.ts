import { data, redirect } from "react-router";
import { CONNECTIONS, WALLET, WALLETS } from "#app/domain/identity/external-accounts/schema.ts";
import type {
  ExternalSignInPurpose,
  WalletAnswer,
} from "#app/domain/identity/external-accounts/schema.ts";
import type { Arrival } from "#app/domain/identity/embedded/schema.ts";
import type { Env } from "#app/configuration/env.ts";
import { requireReauthentication } from "./account.server.ts";
import { embedded } from "./embedded.server.ts";
import { memberOfProviderUser } from "./identity.server.ts";
import { signInWithSecondFactor } from "./second-factor.server.ts";
import type { AuthRequest } from "./session.server.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import { internalPath } from "#app/lib/own-path.ts";
import { outsideNameOf, readExternalProviders } from "#app/configuration/external-providers.ts";
import type { ExternalProvider } from "#app/configuration/external-providers.ts";

/**
 * An external sign-in whose email already has an account: its owner must first sign in to that
 * account.
 */
export type PendingExternalLink = { taken: string };

/** Finds a configured provider by its id; otherwise a 404. */
export function externalProvider(env: Env, id: string): ExternalProvider {
  const provider = readExternalProviders(env).providers.find((external) => external.id === id);
  if (!provider) throw data({ message: "Esta página não existe aqui." }, { status: 404 });
  return provider;
}

/** The displayed name of a provider, even if it is no longer configured. */
export const externalProviderName = (env: Env, providerId: string): string =>
  outsideNameOf(readExternalProviders(env).providers, providerId);

/**
 * "Entrar com …": goes to the provider, and back within ten minutes in this browser. Connecting one
 * requires a recent authentication.
 */
export async function startExternalSignIn(
  asked: AuthRequest,
  trip: { id: string; purpose: ExternalSignInPurpose; to: string },
): Promise<Response> {
  externalProvider(asked.env, trip.id);
  const { address, cookie } = await embedded(asked).outside.leaveFor(trip, () =>
    requireReauthentication(asked, CONNECTIONS),
  );
  return redirect(address, { headers: { "Set-Cookie": cookie } });
}

/** Handles the provider's answer. Refuses any answer but the one that this browser waits for. */
export async function completeExternalSignIn(
  asked: AuthRequest,
  back: { id: string; answer: URLSearchParams },
): Promise<Response | PendingExternalLink> {
  externalProvider(asked.env, back.id);
  return arrived(asked, await embedded(asked).outside.comeBack(back));
}

/**
 * The message for this browser's wallet to sign, and the cookie that binds the answer to the
 * browser.
 */
export async function walletChallenge(
  asked: AuthRequest,
  input: { address: string; purpose: ExternalSignInPurpose },
): Promise<{ message: string; cookie: string }> {
  return embedded(asked).outside.walletChallenge(input, () =>
    requireReauthentication(asked, WALLETS),
  );
}

/**
 * Handles a signed message (EIP-4361). Its nonce is consumed even if the signature is wrong: one
 * attempt per message.
 */
export async function completeWalletSignIn(
  asked: AuthRequest,
  answer: WalletAnswer,
  then: { to: string },
): Promise<Response> {
  const came = await arrived(asked, await embedded(asked).outside.walletAnswered(answer, then));
  if (!(came instanceof Response)) throw new Error("a wallet has no e-mail that could be taken");
  return came;
}

/**
 * Redirects after an external sign-in. A known account is signed in, with its second factor if it
 * is on.
 */
async function arrived(
  asked: AuthRequest,
  arrival: Arrival,
): Promise<Response | PendingExternalLink> {
  switch (arrival.kind) {
    case "known":
      return enter(asked, arrival);
    case "taken":
      return { taken: arrival.email };
    case "registering":
      return redirect("/auth/register/profile", { headers: arrival.headers });
    case "connected":
      return connected(asked, arrival);
    case "confirmed":
      return redirect(arrival.to);
  }
}

async function enter(
  asked: AuthRequest,
  { userId, providerId, to }: Extract<Arrival, { kind: "known" }>,
): Promise<Response> {
  const { ctx } = asked;
  return signInWithSecondFactor(to, async () => {
    const { user, headers } = await embedded(asked).outside.enterFromOutside({ userId });
    await memberOfProviderUser(ctx, "local", user);
    ctx.log("identity.entered_from_outside", { providerId });
    return redirect(to, { headers });
  });
}

async function connected(
  { env, request }: AuthRequest,
  { providerId }: { providerId: string },
): Promise<Response> {
  return redirectWithToast(request, pageOf(providerId), {
    kind: "success",
    message: `${externalProviderName(env, providerId)}: agora você também entra por aqui.`,
  });
}

/**
 * "Sim, ligar": connects the pending external account of this browser to the current user. Refuses
 * without a pending one.
 */
export async function acceptPendingLink(asked: AuthRequest): Promise<Response> {
  return connected(asked, await embedded(asked).outside.acceptOffer());
}

/** "Desligar". Refuses the last sign-in method; the primary email is notified. */
export async function disconnectExternalAccount(
  asked: AuthRequest,
  one: { id: string },
): Promise<Response> {
  const { providerId } = await embedded(asked).outside.disconnect(one);
  return redirectWithToast(asked.request, pageOf(providerId), {
    kind: "success",
    message: `${externalProviderName(asked.env, providerId)}: já não abre a sua conta.`,
  });
}

const pageOf = (providerId: string): string => (providerId === WALLET ? WALLETS : CONNECTIONS);

/** Where a sign-in returns to, from the address. */
export const returnPathOf = (url: URL): string => internalPath(url.searchParams.get("to"));
