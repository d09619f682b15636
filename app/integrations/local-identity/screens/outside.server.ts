import type { Context } from "#app/domain/context.ts";
import { linkTo, mail, quietly } from "#app/domain/identity/commands/letters.server.ts";
import { NotSignedIn } from "#app/domain/identity/errors.ts";
import { OutsideRefused } from "#app/domain/identity/errors/outside.ts";
import {
  outsideConnectedLetter,
  outsideDisconnectedLetter,
} from "#app/domain/identity/rules/outside-mails.ts";
import type { Identified } from "#app/domain/identity/schema.ts";
import type { Arrival } from "#app/domain/identity/schema/embedded.ts";
import { CONNECTIONS, oidcProviderId, WALLET } from "#app/domain/identity/schema/outside.ts";
import type {
  Offer,
  OutsideAccount,
  OutsidePerson,
  OutsidePurpose,
  WaysIn,
} from "#app/domain/identity/schema/outside.ts";
import { accountStanding, proveOutside } from "#app/integrations/local-identity/account.server.ts";
import { countTry, outsideAllowances } from "#app/integrations/local-identity/attempts.server.ts";
import { clientOf, keepClient } from "#app/integrations/local-identity/client-cookie.ts";
import { userByIdentifier } from "#app/integrations/local-identity/identifiers.server.ts";
import {
  connectOutside,
  disconnectOutside,
  ownOutside,
  relabel,
  userOfOutside,
  waysIn,
} from "#app/integrations/local-identity/outside-accounts.server.ts";
import {
  dropOffer,
  keepOffer,
  offerOf,
  openAttempt,
  spendAttempt,
} from "#app/integrations/local-identity/outside-attempts.server.ts";
import type { Attempt } from "#app/integrations/local-identity/outside-attempts.server.ts";
import { beginRegistration } from "#app/integrations/local-identity/pending-registrations.server.ts";
import * as provider from "#app/integrations/local-identity/provider.server.ts";
import { outsideNameOf } from "#app/outside-providers.ts";
import type { OutsideProvider } from "#app/outside-providers.ts";
import { accountsOf } from "./asked.server.ts";
import type { LocalAsked } from "./asked.server.ts";

/** Who came back, and from where. */
type Arrived = OutsidePerson & { providerId: string };

/** To the provider `id`, and back within ten minutes in this browser. */
export async function leaveFor(
  asked: LocalAsked,
  { id, purpose, to }: { id: string; purpose: OutsidePurpose; to: string },
  confirm: () => Promise<void>,
): Promise<{ address: string; cookie: string }> {
  const { ctx, request } = asked;
  const accounts = accountsOf(asked);
  await countTry(accounts.db, outsideAllowances(request), ctx.realNow());
  const userId = await whoGoes(asked, purpose, confirm);
  const { client, cookie } = keepClient(request);
  const state = await openAttempt(accounts, {
    providerId: oidcProviderId(id),
    purpose,
    userId,
    client,
    returnPath: to,
  });
  const { authorizationAddress } = await import("#app/integrations/local-identity/oidc.server.ts");
  const address = await authorizationAddress({
    provider: configured(asked, id),
    secret: accounts.secret,
    state,
    redirectUri: callbackOf(ctx, id),
    purpose,
  });
  return { address, cookie };
}

/** The provider's answer. Refuses whatever is not the one answer that this browser waits for. */
export async function comeBack(
  asked: LocalAsked,
  { id, answer }: { id: string; answer: URLSearchParams },
): Promise<Arrival> {
  const accounts = accountsOf(asked);
  const state = answer.get("state") ?? "";
  const providerId = oidcProviderId(id);
  const attempt = await spendAttempt(accounts, {
    providerId,
    token: state,
    client: clientOf(asked.request),
  });
  const { personOfAnswer } = await import("#app/integrations/local-identity/oidc.server.ts");
  const trip = {
    provider: configured(asked, id),
    secret: accounts.secret,
    state,
    redirectUri: callbackOf(asked.ctx, id),
    purpose: attempt.purpose,
  };
  return arrive(asked, attempt, { providerId, ...(await personOfAnswer(trip, answer)) });
}

/** What an answer from elsewhere leads to. */
export async function arrive(
  asked: LocalAsked,
  attempt: Attempt,
  person: Arrived,
): Promise<Arrival> {
  if (attempt.purpose === "sign-in") return enter(asked, attempt.returnPath, person);
  const userId = await sameUser(asked, attempt);
  if (attempt.purpose === "connect") return connect(asked, userId, person);
  const accounts = accountsOf(asked);
  if ((await userOfOutside(accounts.db, person)) !== userId)
    throw new OutsideRefused("oauth_account_mismatch");
  await proveOutside(accounts, asked.request, { userId });
  return { kind: "confirmed", to: attempt.returnPath };
}

/** Unknown: a registration begins, unless the e-mail has an account already. */
async function enter(asked: LocalAsked, to: string, person: Arrived): Promise<Arrival> {
  const accounts = accountsOf(asked);
  const { db } = accounts;
  const { providerId, accountId } = person;
  const userId = await userOfOutside(db, person);
  if (userId !== null) {
    await relabel(db, { ...person, label: person.email });
    return { kind: "known", userId, providerId, to };
  }
  const taken = person.isEmailProven ? person.email : null;
  const holder = taken === null ? null : await userByIdentifier(db, taken);
  if (taken !== null && holder !== null) {
    const client = clientOf(asked.request);
    if (client === null) throw new OutsideRefused("oauth_client_mismatch");
    await keepOffer(accounts, { providerId, accountId, label: taken, client, userId: holder.id });
    return { kind: "taken", email: taken };
  }
  const { email, isEmailProven, name, username } = person;
  const headers = await beginRegistration(accounts, {
    email,
    isEmailProven,
    name,
    username,
    to,
    by: { kind: "outside", providerId, accountId },
  });
  return { kind: "registering", headers };
}

async function connect(
  asked: LocalAsked,
  userId: string,
  { providerId, accountId, email }: Arrived,
): Promise<Arrival> {
  await connectOutside(accountsOf(asked), { userId, providerId, accountId, label: email });
  return connected(asked, { providerId, label: email ?? accountId });
}

/** The primary e-mail is told. */
async function connected(
  asked: LocalAsked,
  { providerId, label }: { providerId: string; label: string },
): Promise<{ kind: "connected"; providerId: string }> {
  const { local, ctx, request } = asked;
  const name = outsideNameOf(local.providers, providerId);
  const { email } = await accountStanding(accountsOf(asked), request);
  ctx.log("identity.outside_connected", { providerId });
  await tell(
    ctx,
    email,
    outsideConnectedLetter({ name, label, connections: linkTo(ctx, CONNECTIONS) }),
  );
  return { kind: "connected", providerId };
}

/**
 * Another account or a wallet stands for the password: where a second factor is on, its code is
 * still asked for.
 */
export async function enterFromOutside(
  { local, request }: LocalAsked,
  known: { userId: string },
): Promise<Identified> {
  return provider.enterFromOutside(local, request, known);
}

/** How whoever asks can sign in, and what waits in this browser to be one more way. */
export async function ownWaysIn(asked: LocalAsked): Promise<WaysIn & { offer: Offer | null }> {
  const accounts = accountsOf(asked);
  const { userId } = await accountStanding(accounts, asked.request);
  const [ways, offer] = await Promise.all([
    waysIn(accounts.db, userId),
    offerOf(accounts, { client: clientOf(asked.request), userId }),
  ]);
  return { ...ways, offer };
}

/**
 * "Sim, ligar": what waited in this browser opens the account of whoever asks. Refuses when nothing
 * waits.
 */
export async function acceptOffer(asked: LocalAsked): Promise<{ providerId: string }> {
  const accounts = accountsOf(asked);
  const client = clientOf(asked.request);
  const { userId } = await accountStanding(accounts, asked.request);
  const offer = await offerOf(accounts, { client, userId });
  if (!offer || client === null) throw new OutsideRefused("oauth_offer_gone");
  await connectOutside(accounts, { userId, ...offer });
  await dropOffer(accounts, client);
  return connected(asked, { providerId: offer.providerId, label: offer.label ?? offer.accountId });
}

/** "Agora não". */
export async function declineOffer(asked: LocalAsked): Promise<void> {
  const client = clientOf(asked.request);
  if (client !== null) await dropOffer(accountsOf(asked), client);
}

/** One of the outside accounts of whoever asks. Refuses anybody else's. */
export async function ownOutsideAccount(
  asked: LocalAsked,
  { id }: { id: string },
): Promise<OutsideAccount> {
  const accounts = accountsOf(asked);
  const { userId } = await accountStanding(accounts, asked.request);
  return ownOutside(accounts.db, { userId, id });
}

/** "Desligar". Refuses the last way in; the primary e-mail is told. */
export async function disconnect(
  asked: LocalAsked,
  { id }: { id: string },
): Promise<{ providerId: string }> {
  const { local, ctx, request } = asked;
  const accounts = accountsOf(asked);
  const { userId, email } = await accountStanding(accounts, request);
  const usable = [WALLET, ...local.providers.map((one) => oidcProviderId(one.id))];
  const { providerId, accountId, label } = await disconnectOutside(accounts.db, {
    userId,
    id,
    usable,
  });
  const name = outsideNameOf(local.providers, providerId);
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
  return { providerId };
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
export async function whoGoes(
  asked: LocalAsked,
  purpose: OutsidePurpose,
  confirm: () => Promise<void>,
): Promise<string | null> {
  if (purpose === "sign-in") return null;
  const { userId } = await accountStanding(accountsOf(asked), asked.request);
  if (purpose === "connect") await confirm();
  return userId;
}

/** The trip was of whoever is signed in now, and nobody else's. */
async function sameUser(asked: LocalAsked, { userId }: Attempt): Promise<string> {
  const now = await accountStanding(accountsOf(asked), asked.request).catch((error: unknown) => {
    if (error instanceof NotSignedIn) return null;
    throw error;
  });
  if (userId === null || now?.userId !== userId) throw new OutsideRefused("oauth_session_changed");
  return userId;
}

/** The page of an unknown one does not exist, so that nobody comes here for it. */
function configured({ local }: LocalAsked, id: string): OutsideProvider {
  const found = local.providers.find((known) => known.id === id);
  if (!found) throw new Error("an outside provider that is not configured");
  return found;
}

const callbackOf = (ctx: Context, id: string): string =>
  linkTo(ctx, `/auth/outside/${id}/callback`);
