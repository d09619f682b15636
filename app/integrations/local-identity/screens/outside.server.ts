import type { Context } from "#app/domain/context.ts";
import { linkTo, mail, quietly } from "#app/domain/identity/commands/letters.server.ts";
import { NotSignedIn } from "#app/domain/identity/errors.ts";
import { ExternalSignInFailed } from "#app/domain/identity/external-accounts/errors.ts";
import {
  externalAccountConnectedEmail,
  externalAccountDisconnectedEmail,
} from "#app/domain/identity/external-accounts/rules.ts";
import type { Identified } from "#app/domain/identity/schema.ts";
import type { Arrival } from "#app/domain/identity/embedded/schema.ts";
import {
  CONNECTIONS,
  oidcProviderId,
  WALLET,
} from "#app/domain/identity/external-accounts/schema.ts";
import type {
  Offer,
  ExternalAccount,
  ExternalPerson,
  ExternalSignInPurpose,
  SignInMethods,
} from "#app/domain/identity/external-accounts/schema.ts";
import {
  localAccountStatus,
  confirmExternallyRecently,
} from "#app/integrations/local-identity/account/account.server.ts";
import {
  countAttempt,
  externalSignInLimits,
} from "#app/integrations/local-identity/rate-limits.server.ts";
import {
  browserSecret,
  ensureBrowserSecret,
} from "#app/integrations/local-identity/sessions/client-cookie.ts";
import { userByIdentifier } from "#app/integrations/local-identity/registration/identifiers.server.ts";
import {
  connectExternalAccount,
  removeExternalAccount,
  memberExternalAccountRow,
  relabelExternalAccount,
  userOfExternalAccount,
  signInMethods,
} from "#app/integrations/local-identity/external-accounts/external-accounts.server.ts";
import {
  deleteLinkOffer,
  saveLinkOffer,
  linkOfferOf,
  startExternalAttempt,
  consumeExternalAttempt,
} from "#app/integrations/local-identity/external-accounts/external-attempts.server.ts";
import type { ExternalAttempt } from "#app/integrations/local-identity/external-accounts/external-attempts.server.ts";
import { startPendingRegistration } from "#app/integrations/local-identity/registration/pending-registrations.server.ts";
import * as provider from "#app/integrations/local-identity/provider.server.ts";
import { outsideNameOf } from "#app/configuration/external-providers.ts";
import type { ExternalProvider } from "#app/configuration/external-providers.ts";
import { accountsOf } from "./asked.server.ts";
import type { LocalAsked } from "./asked.server.ts";

/** The person of a completed external sign-in, and the provider. */
type Arrived = ExternalPerson & { providerId: string };

/** Starts a sign-in at the provider `id`; it must return within ten minutes in this browser. */
export async function leaveFor(
  asked: LocalAsked,
  { id, purpose, to }: { id: string; purpose: ExternalSignInPurpose; to: string },
  confirm: () => Promise<void>,
): Promise<{ address: string; cookie: string }> {
  const { ctx, request } = asked;
  const accounts = accountsOf(asked);
  await countAttempt(accounts.db, externalSignInLimits(request), ctx.realNow());
  const userId = await whoGoes(asked, purpose, confirm);
  const { client, cookie } = ensureBrowserSecret(request);
  const state = await startExternalAttempt(accounts, {
    providerId: oidcProviderId(id),
    purpose,
    userId,
    client,
    returnPath: to,
  });
  const { authorizationAddress } =
    await import("#app/integrations/local-identity/external-accounts/oidc.server.ts");
  const address = await authorizationAddress({
    provider: configured(asked, id),
    secret: accounts.secret,
    state,
    redirectUri: callbackOf(ctx, id),
    purpose,
  });
  return { address, cookie };
}

/** Handles the provider's answer. Refuses any answer but the one that this browser waits for. */
export async function comeBack(
  asked: LocalAsked,
  { id, answer }: { id: string; answer: URLSearchParams },
): Promise<Arrival> {
  const accounts = accountsOf(asked);
  const state = answer.get("state") ?? "";
  const providerId = oidcProviderId(id);
  const attempt = await consumeExternalAttempt(accounts, {
    providerId,
    token: state,
    client: browserSecret(asked.request),
  });
  const { personOfCallback } =
    await import("#app/integrations/local-identity/external-accounts/oidc.server.ts");
  const trip = {
    provider: configured(asked, id),
    secret: accounts.secret,
    state,
    redirectUri: callbackOf(asked.ctx, id),
    purpose: attempt.purpose,
  };
  return arrive(asked, attempt, { providerId, ...(await personOfCallback(trip, answer)) });
}

/** Handles the person of a completed external sign-in, by its purpose. */
export async function arrive(
  asked: LocalAsked,
  attempt: ExternalAttempt,
  person: Arrived,
): Promise<Arrival> {
  if (attempt.purpose === "sign-in") return enter(asked, attempt.returnPath, person);
  const userId = await sameUser(asked, attempt);
  if (attempt.purpose === "connect") return connect(asked, userId, person);
  const accounts = accountsOf(asked);
  if ((await userOfExternalAccount(accounts.db, person)) !== userId)
    throw new ExternalSignInFailed("oauth_account_mismatch");
  await confirmExternallyRecently(accounts, asked.request, { userId });
  return { kind: "confirmed", to: attempt.returnPath };
}

/**
 * Signs in. For an unknown external account it starts a registration, unless the email already has
 * an account.
 */
async function enter(asked: LocalAsked, to: string, person: Arrived): Promise<Arrival> {
  const accounts = accountsOf(asked);
  const { db } = accounts;
  const { providerId, accountId } = person;
  const userId = await userOfExternalAccount(db, person);
  if (userId !== null) {
    await relabelExternalAccount(db, { ...person, label: person.email });
    return { kind: "known", userId, providerId, to };
  }
  const taken = person.isEmailProven ? person.email : null;
  const holder = taken === null ? null : await userByIdentifier(db, taken);
  if (taken !== null && holder !== null) {
    const client = browserSecret(asked.request);
    if (client === null) throw new ExternalSignInFailed("oauth_client_mismatch");
    await saveLinkOffer(accounts, {
      providerId,
      accountId,
      label: taken,
      client,
      userId: holder.id,
    });
    return { kind: "taken", email: taken };
  }
  const { email, isEmailProven, name, username } = person;
  const headers = await startPendingRegistration(accounts, {
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
  await connectExternalAccount(accountsOf(asked), { userId, providerId, accountId, label: email });
  return connected(asked, { providerId, label: email ?? accountId });
}

/** Connects the external account; the primary email is notified. */
async function connected(
  asked: LocalAsked,
  { providerId, label }: { providerId: string; label: string },
): Promise<{ kind: "connected"; providerId: string }> {
  const { local, ctx, request } = asked;
  const name = outsideNameOf(local.providers, providerId);
  const { email } = await localAccountStatus(accountsOf(asked), request);
  ctx.log("identity.outside_connected", { providerId });
  await notify(
    ctx,
    email,
    externalAccountConnectedEmail({ name, label, connections: linkTo(ctx, CONNECTIONS) }),
  );
  return { kind: "connected", providerId };
}

/**
 * Signs in with an external account or a wallet, instead of a password. A second factor is still
 * required if it is on.
 */
export async function enterFromOutside(
  { local, request }: LocalAsked,
  account: { userId: string },
): Promise<Identified> {
  return provider.enterFromOutside(local, request, account);
}

/** The sign-in methods of the current user, and the pending offer of this browser. */
export async function ownWaysIn(
  asked: LocalAsked,
): Promise<SignInMethods & { offer: Offer | null }> {
  const accounts = accountsOf(asked);
  const { userId } = await localAccountStatus(accounts, asked.request);
  const [ways, offer] = await Promise.all([
    signInMethods(accounts.db, userId),
    linkOfferOf(accounts, { client: browserSecret(asked.request), userId }),
  ]);
  return { ...ways, offer };
}

/**
 * "Sim, ligar": connects the pending external account of this browser to the current user. Refuses
 * without a pending offer.
 */
export async function acceptOffer(asked: LocalAsked): Promise<{ providerId: string }> {
  const accounts = accountsOf(asked);
  const client = browserSecret(asked.request);
  const { userId } = await localAccountStatus(accounts, asked.request);
  const offer = await linkOfferOf(accounts, { client, userId });
  if (!offer || client === null) throw new ExternalSignInFailed("oauth_offer_gone");
  await connectExternalAccount(accounts, { userId, ...offer });
  await deleteLinkOffer(accounts, client);
  return connected(asked, { providerId: offer.providerId, label: offer.label ?? offer.accountId });
}

/** "Agora não". */
export async function declineOffer(asked: LocalAsked): Promise<void> {
  const client = browserSecret(asked.request);
  if (client !== null) await deleteLinkOffer(accountsOf(asked), client);
}

/** One of the external accounts of the current user. Refuses anybody else's. */
export async function ownOutsideAccount(
  asked: LocalAsked,
  { id }: { id: string },
): Promise<ExternalAccount> {
  const accounts = accountsOf(asked);
  const { userId } = await localAccountStatus(accounts, asked.request);
  return memberExternalAccountRow(accounts.db, { userId, id });
}

/** "Desligar". Refuses the last sign-in method; the primary email is notified. */
export async function disconnect(
  asked: LocalAsked,
  { id }: { id: string },
): Promise<{ providerId: string }> {
  const { local, ctx, request } = asked;
  const accounts = accountsOf(asked);
  const { userId, email } = await localAccountStatus(accounts, request);
  const usable = [WALLET, ...local.providers.map((one) => oidcProviderId(one.id))];
  const { providerId, accountId, label } = await removeExternalAccount(accounts.db, {
    userId,
    id,
    usable,
  });
  const name = outsideNameOf(local.providers, providerId);
  ctx.log("identity.outside_disconnected", { providerId });
  await notify(
    ctx,
    email,
    externalAccountDisconnectedEmail({
      name,
      label: label ?? accountId,
      reset: linkTo(ctx, "/auth/reset"),
    }),
  );
  return { providerId };
}

async function notify(
  ctx: Context,
  to: string,
  letter: { subject: string; body: string },
): Promise<void> {
  await quietly(ctx, async () => mail(ctx, { key: ctx.newId(), to }, letter));
}

/**
 * The user of an external sign-in; null for signing in. Connecting an account requires a recent
 * authentication first.
 */
export async function whoGoes(
  asked: LocalAsked,
  purpose: ExternalSignInPurpose,
  confirm: () => Promise<void>,
): Promise<string | null> {
  if (purpose === "sign-in") return null;
  const { userId } = await localAccountStatus(accountsOf(asked), asked.request);
  if (purpose === "connect") await confirm();
  return userId;
}

/** Requires that the current user is the one who started the external sign-in. */
async function sameUser(asked: LocalAsked, { userId }: ExternalAttempt): Promise<string> {
  const now = await localAccountStatus(accountsOf(asked), asked.request).catch((error: unknown) => {
    if (error instanceof NotSignedIn) return null;
    throw error;
  });
  if (userId === null || now?.userId !== userId)
    throw new ExternalSignInFailed("oauth_session_changed");
  return userId;
}

/** Finds a configured provider. The page of an unknown one is a 404, so this is unexpected. */
function configured({ local }: LocalAsked, id: string): ExternalProvider {
  const found = local.providers.find((external) => external.id === id);
  if (!found) throw new Error("an outside provider that is not configured");
  return found;
}

const callbackOf = (ctx: Context, id: string): string =>
  linkTo(ctx, `/auth/outside/${id}/callback`);
