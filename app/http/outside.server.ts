import { data, redirect } from "react-router";
import { CONNECTIONS, WALLET, WALLETS } from "#app/domain/identity/schema/outside.ts";
import type { OutsidePurpose, WalletAnswer } from "#app/domain/identity/schema/outside.ts";
import type { Arrival } from "#app/domain/identity/schema/embedded.ts";
import type { Env } from "#app/env.ts";
import { confirmFirst } from "#app/http/account.server.ts";
import { embedded } from "#app/http/embedded.server.ts";
import { memberOf } from "#app/http/identity.server.ts";
import { orSecondFactor } from "#app/http/second-factor.server.ts";
import type { Asked } from "#app/http/session.server.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import { ownPath } from "#app/lib/own-path.ts";
import { outsideNameOf, readOutsideProviders } from "#app/outside-providers.ts";
import type { OutsideProvider } from "#app/outside-providers.ts";

/**
 * The e-mail that was proven elsewhere has an account here: its person must come in by their own
 * door first.
 */
export type Waiting = { taken: string };

/** A configured provider by its id; where there is none the page does not exist. */
export function outsideProvider(env: Env, id: string): OutsideProvider {
  const provider = readOutsideProviders(env).providers.find((known) => known.id === id);
  if (!provider) throw data({ message: "Esta página não existe aqui." }, { status: 404 });
  return provider;
}

/** How a person knows a provider of theirs, configured or not any more. */
export const outsideName = (env: Env, providerId: string): string =>
  outsideNameOf(readOutsideProviders(env).providers, providerId);

/**
 * "Entrar com …": to the provider, and back within ten minutes in this browser. To connect one asks
 * for a fresh sign-in.
 */
export async function leaveFor(
  asked: Asked,
  trip: { id: string; purpose: OutsidePurpose; to: string },
): Promise<Response> {
  outsideProvider(asked.env, trip.id);
  const { address, cookie } = await embedded(asked).outside.leaveFor(trip, () =>
    confirmFirst(asked, CONNECTIONS),
  );
  return redirect(address, { headers: { "Set-Cookie": cookie } });
}

/** The provider's answer. Refuses whatever is not the one answer that this browser waits for. */
export async function comeBack(
  asked: Asked,
  back: { id: string; answer: URLSearchParams },
): Promise<Response | Waiting> {
  outsideProvider(asked.env, back.id);
  return arrived(asked, await embedded(asked).outside.comeBack(back));
}

/** What this browser's wallet is asked to sign, and the cookie that ties the answer to the browser. */
export async function walletChallenge(
  asked: Asked,
  input: { address: string; purpose: OutsidePurpose },
): Promise<{ message: string; cookie: string }> {
  return embedded(asked).outside.walletChallenge(input, () => confirmFirst(asked, WALLETS));
}

/** A signed message (EIP-4361). Its nonce is spent whatever the signature says: one asking, one try. */
export async function walletAnswered(
  asked: Asked,
  answer: WalletAnswer,
  then: { to: string },
): Promise<Response> {
  const came = await arrived(asked, await embedded(asked).outside.walletAnswered(answer, then));
  if (!(came instanceof Response)) throw new Error("a wallet has no e-mail that could be taken");
  return came;
}

/** Where an answer from elsewhere leads. Known: signed in, by the second factor where one is on. */
async function arrived(asked: Asked, arrival: Arrival): Promise<Response | Waiting> {
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
  asked: Asked,
  { userId, providerId, to }: Extract<Arrival, { kind: "known" }>,
): Promise<Response> {
  const { ctx } = asked;
  return orSecondFactor(to, async () => {
    const { user, headers } = await embedded(asked).outside.enterFromOutside({ userId });
    await memberOf(ctx, "local", user);
    ctx.log("identity.entered_from_outside", { providerId });
    return redirect(to, { headers });
  });
}

async function connected(
  { env, request }: Asked,
  { providerId }: { providerId: string },
): Promise<Response> {
  return redirectWithToast(request, pageOf(providerId), {
    kind: "success",
    message: `${outsideName(env, providerId)}: agora você também entra por aqui.`,
  });
}

/**
 * "Sim, ligar": what waited in this browser opens the account of whoever asks. Refuses when nothing
 * waits.
 */
export async function acceptOffer(asked: Asked): Promise<Response> {
  return connected(asked, await embedded(asked).outside.acceptOffer());
}

/** "Desligar". Refuses the last way in; the primary e-mail is told. */
export async function disconnect(asked: Asked, one: { id: string }): Promise<Response> {
  const { providerId } = await embedded(asked).outside.disconnect(one);
  return redirectWithToast(asked.request, pageOf(providerId), {
    kind: "success",
    message: `${outsideName(asked.env, providerId)}: já não abre a sua conta.`,
  });
}

const pageOf = (providerId: string): string => (providerId === WALLET ? WALLETS : CONNECTIONS);

/** Where a sign-in leads afterwards, from what the address says. */
export const whereTo = (url: URL): string => ownPath(url.searchParams.get("to"));
