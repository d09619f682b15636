import { data, redirect } from "react-router";
import type { Context } from "#app/domain/context.ts";
import { NotSignedIn } from "#app/domain/identity/errors.ts";
import { OutsideRefused } from "#app/domain/identity/errors/outside.ts";
import {
  outsideConnectedLetter,
  outsideDisconnectedLetter,
} from "#app/domain/identity/rules/outside-mails.ts";
import { oidcProviderId, WALLET } from "#app/domain/identity/schema/outside.ts";
import type {
  OutsideAccount,
  OutsidePerson,
  OutsidePurpose,
  WalletAnswer,
  WaysIn,
} from "#app/domain/identity/schema/outside.ts";
import type { Env } from "#app/env.ts";
import {
  confirmFirst,
  embedded,
  linkTo,
  mail,
  quietly,
  standing,
} from "#app/http/account.server.ts";
import { clientOf, keepClient } from "#app/http/client-cookie.ts";
import { memberOf } from "#app/http/identity.server.ts";
import { ownPath } from "#app/lib/own-path.ts";
import { orSecondFactor } from "#app/http/second-factor.server.ts";
import type { Asked } from "#app/http/session.server.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import type { Attempt, Offer } from "#app/integrations/local-identity/outside-attempts.server.ts";
import { readOutsideProviders } from "#app/outside-providers.ts";
import type { OutsideProvider } from "#app/outside-providers.ts";

export const CONNECTIONS = "/auth/account/connections";
export const WALLETS = "/auth/account/wallets";

/** Who came back, and from where. */
type Arrived = OutsidePerson & { providerId: string };
/**
 * The e-mail that was proven elsewhere has an account here: its person must come in by their own
 * door first.
 */
export type Waiting = { taken: string };

/**
 * The embedded identity with what outside accounts need. With another provider its pages do not
 * exist.
 */
async function outside({ env, ctx }: { env: Env; ctx: Context }) {
  const local = await embedded({ env, ctx });
  const [attempts, accounts] = await Promise.all([
    import("#app/integrations/local-identity/outside-attempts.server.ts"),
    import("#app/integrations/local-identity/outside-accounts.server.ts"),
  ]);
  const options = { db: env.DB, secret: env.AUTH_SECRET ?? "", origin: env.APP_ORIGIN ?? "" };
  return { ...local, ...attempts, ...accounts, options };
}

/** A configured provider by its id; where there is none the page does not exist. */
export function outsideProvider(env: Env, id: string): OutsideProvider {
  const provider = readOutsideProviders(env).providers.find((known) => known.id === id);
  if (!provider) throw data({ message: "Esta página não existe aqui." }, { status: 404 });
  return provider;
}

/** How a person knows a provider of theirs, configured or not any more. */
export function outsideName(env: Env, providerId: string): string {
  if (providerId === WALLET) return "Carteira Ethereum";
  return (
    readOutsideProviders(env).providers.find(({ id }) => oidcProviderId(id) === providerId)?.name ??
    providerId.replace(/^oidc:/, "")
  );
}

/**
 * "Entrar com …": to the provider, and back within ten minutes in this browser. To connect one asks
 * for a fresh sign-in.
 */
export async function leaveFor(
  asked: Asked,
  { id, purpose, to }: { id: string; purpose: OutsidePurpose; to: string },
): Promise<Response> {
  const { env, ctx, request } = asked;
  const provider = outsideProvider(env, id);
  const local = await outside(asked);
  await local.countTry(local.accounts.db, local.outsideAllowances(request), ctx.realNow());
  const userId = await whoGoes(asked, purpose, CONNECTIONS);
  const { client, cookie } = keepClient(request);
  const state = await local.openAttempt(local.accounts, {
    providerId: oidcProviderId(id),
    purpose,
    userId,
    client,
    returnPath: to,
  });
  const { authorizationAddress } = await import("#app/integrations/local-identity/oidc.server.ts");
  const address = await authorizationAddress({
    provider,
    secret: local.accounts.secret,
    state,
    redirectUri: callbackOf(ctx, id),
    purpose,
  });
  return redirect(address, { headers: { "Set-Cookie": cookie } });
}

/** The provider's answer. Refuses whatever is not the one answer that this browser waits for. */
export async function comeBack(
  asked: Asked,
  { id, answer }: { id: string; answer: URLSearchParams },
): Promise<Response | Waiting> {
  const provider = outsideProvider(asked.env, id);
  const local = await outside(asked);
  const state = answer.get("state") ?? "";
  const providerId = oidcProviderId(id);
  const attempt = await local.spendAttempt(local.accounts, {
    providerId,
    token: state,
    client: clientOf(asked.request),
  });
  const { personOfAnswer } = await import("#app/integrations/local-identity/oidc.server.ts");
  const trip = {
    provider,
    secret: local.accounts.secret,
    state,
    redirectUri: callbackOf(asked.ctx, id),
    purpose: attempt.purpose,
  };
  return arrive(asked, attempt, { providerId, ...(await personOfAnswer(trip, answer)) });
}

/** What this browser's wallet is asked to sign, and the cookie that ties the answer to the browser. */
export async function walletChallenge(
  asked: Asked,
  { address, purpose }: { address: string; purpose: OutsidePurpose },
): Promise<{ message: string; cookie: string }> {
  const { ctx, request } = asked;
  const local = await outside(asked);
  await local.countTry(local.accounts.db, local.outsideAllowances(request), ctx.realNow());
  const userId = await whoGoes(asked, purpose, WALLETS);
  const { client, cookie } = keepClient(request);
  const nonce = await local.openAttempt(local.accounts, {
    providerId: WALLET,
    purpose,
    userId,
    client,
    returnPath: "/",
  });
  const { walletMessage } = await import("#app/integrations/local-identity/wallets.server.ts");
  return { message: walletMessage(local.options, { address, nonce, now: ctx.realNow() }), cookie };
}

/** A signed message (EIP-4361). Its nonce is spent whatever the signature says: one asking, one try. */
export async function walletAnswered(
  asked: Asked,
  answer: WalletAnswer,
  { to }: { to: string },
): Promise<Response> {
  const local = await outside(asked);
  const { addressOfAnswer, nonceOfMessage } =
    await import("#app/integrations/local-identity/wallets.server.ts");
  const token = nonceOfMessage(local.options, answer);
  const attempt = await local
    .spendAttempt(local.accounts, { providerId: WALLET, token, client: clientOf(asked.request) })
    .catch(inWordsOfWallets);
  const accountId = await addressOfAnswer(answer, asked.ctx.realNow());
  const person = {
    providerId: WALLET,
    accountId,
    email: null,
    isEmailProven: false,
    name: null,
    username: null,
  };
  const arrived = await arrive(asked, { ...attempt, returnPath: to }, person);
  if (!(arrived instanceof Response)) throw new Error("a wallet has no e-mail that could be taken");
  return arrived;
}

function inWordsOfWallets(error: unknown): never {
  const isOver =
    error instanceof OutsideRefused &&
    (error.code === "oauth_attempt_used" || error.code === "oauth_attempt_expired");
  throw isOver ? new OutsideRefused("web3_message_expired") : error;
}

async function arrive(
  asked: Asked,
  attempt: Attempt,
  person: Arrived,
): Promise<Response | Waiting> {
  if (attempt.purpose === "sign-in") return enter(asked, attempt.returnPath, person);
  const userId = await sameUser(asked, attempt);
  if (attempt.purpose === "connect") return connect(asked, userId, person);
  const local = await outside(asked);
  if ((await local.userOfOutside(local.accounts.db, person)) !== userId)
    throw new OutsideRefused("oauth_account_mismatch");
  await local.proveOutside(local.accounts, asked.request, { userId });
  return redirect(attempt.returnPath);
}

/**
 * Known: signed in, by the second factor where one is on. Unknown: a registration begins, unless
 * the e-mail has an account already.
 */
async function enter(asked: Asked, to: string, person: Arrived): Promise<Response | Waiting> {
  const { env, ctx, request } = asked;
  const local = await outside(asked);
  const { db } = local.accounts;
  const userId = await local.userOfOutside(db, person);
  if (userId !== null) {
    await local.relabel(db, { ...person, label: person.email });
    const { enterFromOutside } =
      await import("#app/integrations/local-identity/provider.server.ts");
    return orSecondFactor(to, async () => {
      const { user, headers } = await enterFromOutside(local.options, request, { userId });
      await memberOf(ctx, "local", user);
      ctx.log("identity.entered_from_outside", { providerId: person.providerId });
      return redirect(to, { headers });
    });
  }
  const taken = person.isEmailProven ? person.email : null;
  const holder = taken === null ? null : await local.userByIdentifier(db, taken);
  if (taken !== null && holder !== null) {
    const client = clientOf(request);
    if (client === null) throw new OutsideRefused("oauth_client_mismatch");
    await local.keepOffer(local.accounts, {
      providerId: person.providerId,
      accountId: person.accountId,
      label: taken,
      client,
      userId: holder.id,
    });
    return { taken };
  }
  return register({ env, ctx, request }, to, person);
}

async function register(
  asked: Asked,
  to: string,
  { providerId, accountId, email, isEmailProven, name, username }: Arrived,
): Promise<Response> {
  const { accounts } = await outside(asked);
  const { beginRegistration } =
    await import("#app/integrations/local-identity/pending-registrations.server.ts");
  const headers = await beginRegistration(accounts, {
    email,
    isEmailProven,
    name,
    username,
    to,
    by: { kind: "outside", providerId, accountId },
  });
  return redirect("/auth/register/profile", { headers });
}

async function connect(
  asked: Asked,
  userId: string,
  { providerId, accountId, email }: Arrived,
): Promise<Response> {
  const local = await outside(asked);
  await local.connectOutside(local.accounts, { userId, providerId, accountId, label: email });
  return connected(asked, { providerId, label: email ?? accountId });
}

async function connected(
  asked: Asked,
  { providerId, label }: { providerId: string; label: string },
): Promise<Response> {
  const { env, ctx, request } = asked;
  const name = outsideName(env, providerId);
  const { email } = await standing(asked);
  ctx.log("identity.outside_connected", { providerId });
  await tell(
    ctx,
    email,
    outsideConnectedLetter({ name, label, connections: linkTo(ctx, CONNECTIONS) }),
  );
  const message = `${name}: agora você também entra por aqui.`;
  return redirectWithToast(request, providerId === WALLET ? WALLETS : CONNECTIONS, {
    kind: "success",
    message,
  });
}

/** How whoever asks can sign in, and what waits in this browser to be one more way. */
export async function ownWaysIn(asked: Asked): Promise<WaysIn & { offer: Offer | null }> {
  const local = await outside(asked);
  const { userId } = await local.accountStanding(local.accounts, asked.request);
  const [ways, offer] = await Promise.all([
    local.waysIn(local.accounts.db, userId),
    local.offerOf(local.accounts, { client: clientOf(asked.request), userId }),
  ]);
  return { ...ways, offer };
}

/**
 * "Sim, ligar": what waited in this browser opens the account of whoever asks. Refuses when nothing
 * waits.
 */
export async function acceptOffer(asked: Asked): Promise<Response> {
  const local = await outside(asked);
  const client = clientOf(asked.request);
  const { userId } = await local.accountStanding(local.accounts, asked.request);
  const offer = await local.offerOf(local.accounts, { client, userId });
  if (!offer || client === null) throw new OutsideRefused("oauth_offer_gone");
  await local.connectOutside(local.accounts, { userId, ...offer });
  await local.dropOffer(local.accounts, client);
  return connected(asked, { providerId: offer.providerId, label: offer.label ?? offer.accountId });
}

/** "Agora não". */
export async function declineOffer(asked: Asked): Promise<void> {
  const local = await outside(asked);
  const client = clientOf(asked.request);
  if (client !== null) await local.dropOffer(local.accounts, client);
}

/** One of the outside accounts of whoever asks. Refuses anybody else's. */
export async function ownOutsideAccount(
  asked: Asked,
  { id }: { id: string },
): Promise<OutsideAccount> {
  const local = await outside(asked);
  const { userId } = await local.accountStanding(local.accounts, asked.request);
  return local.ownOutside(local.accounts.db, { userId, id });
}

/** "Desligar". Refuses the last way in; the primary e-mail is told. */
export async function disconnect(asked: Asked, { id }: { id: string }): Promise<Response> {
  const { env, ctx, request } = asked;
  const local = await outside(asked);
  const { userId, email } = await local.accountStanding(local.accounts, request);
  const usable = [
    WALLET,
    ...readOutsideProviders(env).providers.map((provider) => oidcProviderId(provider.id)),
  ];
  const { providerId, accountId, label } = await local.disconnectOutside(local.accounts.db, {
    userId,
    id,
    usable,
  });
  const name = outsideName(env, providerId);
  ctx.log("identity.outside_disconnected", { providerId });
  await tell(
    ctx,
    email,
    outsideDisconnectedLetter({
      name,
      label: label ?? accountId,
      reset: linkTo(ctx, "/auth/reset"),
    }),
  );
  return redirectWithToast(request, providerId === WALLET ? WALLETS : CONNECTIONS, {
    kind: "success",
    message: `${name}: já não abre a sua conta.`,
  });
}

async function tell(
  ctx: Context,
  to: string,
  letter: { subject: string; body: string },
): Promise<void> {
  await quietly(ctx, async () => mail(ctx, { key: ctx.newId(), to }, letter));
}

/**
 * Null for whoever signs in; else whose account it is about. A new way in asks for a fresh sign-in
 * first.
 */
async function whoGoes(
  asked: Asked,
  purpose: OutsidePurpose,
  page: string,
): Promise<string | null> {
  if (purpose === "sign-in") return null;
  const { userId } = await standing(asked);
  if (purpose === "connect") await confirmFirst(asked, page);
  return userId;
}

/** The trip was of whoever is signed in now, and nobody else's. */
async function sameUser(asked: Asked, { userId }: Attempt): Promise<string> {
  const now = await standing(asked).catch((error: unknown) => {
    if (error instanceof NotSignedIn) return null;
    throw error;
  });
  if (userId === null || now?.userId !== userId) throw new OutsideRefused("oauth_session_changed");
  return userId;
}

const callbackOf = (ctx: Context, id: string): string =>
  linkTo(ctx, `/auth/outside/${id}/callback`);

/** Where a sign-in leads afterwards, from what the address says. */
export const whereTo = (url: URL): string => ownPath(url.searchParams.get("to"));
