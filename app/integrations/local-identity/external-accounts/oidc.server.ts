import * as oauth from "oauth4webapi";
import { z } from "zod";
import { ExternalSignInFailed } from "#app/domain/identity/external-accounts/errors.ts";
import { EMAIL_MAX, NAME_MAX } from "#app/domain/identity/schema.ts";
import type {
  ExternalPerson,
  ExternalSignInPurpose,
} from "#app/domain/identity/external-accounts/schema.ts";
import { RECENT_AUTH_MS } from "#app/domain/identity/sign-in/rules/challenges.ts";
import { MINUTE_MS, SECOND_MS } from "#app/domain/time.ts";
import { isLocalhost } from "#app/configuration/external-providers.ts";
import type { ExternalProvider } from "#app/configuration/external-providers.ts";
import { keyedHash } from "#app/lib/secrets.ts";

/**
 * One OIDC sign-in: the provider, the state, and the return address. `secret` derives the values
 * that only we may know from the state.
 */
export type OidcFlow = {
  provider: ExternalProvider;
  secret: string;
  state: string;
  redirectUri: string;
  purpose: ExternalSignInPurpose;
};

const ANSWERS_WITHIN_MS = 5 * SECOND_MS;
const SKEW_SECONDS = 30;
const RETAINED_MS = 10 * MINUTE_MS;
const SUBJECT_MAX = 255;

type CachedProvider = { as: oauth.AuthorizationServer; keys: oauth.JWKSCacheInput; until: number };
const cachedProviders = new Map<string, CachedProvider>();

/**
 * The provider's sign-in address: authorization code with PKCE (S256), a state and a nonce. Refuses
 * a provider that does not answer.
 */
export async function authorizationAddress(trip: OidcFlow): Promise<string> {
  return asProviderRefusal(async () => {
    const { as } = await discovered(trip.provider);
    const address = new URL(z.string().parse(as.authorization_endpoint));
    if (address.protocol !== "https:" && !isLocalhost(address))
      throw new ExternalSignInFailed("oauth_provider_unavailable");
    const parameters = {
      client_id: trip.provider.clientId,
      redirect_uri: trip.redirectUri,
      response_type: "code",
      scope: "openid email profile",
      state: trip.state,
      nonce: await nonceOf(trip),
      code_challenge: await oauth.calculatePKCECodeChallenge(await verifierOf(trip)),
      code_challenge_method: "S256",
      ...askedAgain(trip),
    };
    for (const [name, value] of Object.entries(parameters)) address.searchParams.set(name, value);
    return address.href;
  });
}

/**
 * Parameters that force a new sign-in for reauthentication. Google does not support it, so there
 * the person chooses an account.
 */
function askedAgain({ provider, purpose }: OidcFlow): Record<string, string> {
  if (purpose !== "confirm") return {};
  return provider.id === "google" ? { prompt: "select_account" } : { max_age: "0" };
}

/**
 * Authenticates the person of a callback with `textResponse`, its query. Refuses the provider's
 * refusals, an answer of another issuer, and an ID token with a wrong signature, issuer, audience,
 * nonce or time. The provider's tokens are used only here and never stored.
 */
export async function personOfCallback(
  trip: OidcFlow,
  answer: URLSearchParams,
): Promise<ExternalPerson> {
  return asProviderRefusal(async () => {
    const { provider } = trip;
    const { as, keys } = await discovered(provider);
    const client: oauth.Client = {
      client_id: provider.clientId,
      [oauth.clockTolerance]: SKEW_SECONDS,
    };
    const right = oauth.validateAuthResponse(as, client, answer, trip.state);
    const options = spoken(provider);
    const response = await oauth.authorizationCodeGrantRequest(
      as,
      client,
      secretOf(as, provider),
      right,
      trip.redirectUri,
      await verifierOf(trip),
      options,
    );
    const isAskedAgain = "max_age" in askedAgain(trip);
    const expected = {
      expectedNonce: await nonceOf(trip),
      requireIdToken: true,
      ...(isAskedAgain ? { maxAge: RECENT_AUTH_MS / SECOND_MS } : {}),
    };
    const tokens = await oauth.processAuthorizationCodeResponse(as, client, response, expected);
    await oauth.validateApplicationLevelSignature(as, response, {
      ...options,
      [oauth.jwksCache]: keys,
    });
    const claims = claimsSchema.parse(oauth.getValidatedIdTokenClaims(tokens));
    if (claims.email !== undefined || as.userinfo_endpoint === undefined) return personOf(claims);
    const more = await oauth.userInfoRequest(as, client, tokens.access_token, options);
    return personOf({
      ...claims,
      ...claimsSchema.parse(await oauth.processUserInfoResponse(as, client, claims.sub, more)),
    });
  }, trip.provider);
}

const text = (max: number) => z.string().trim().max(max).optional().catch(undefined);
const claimsSchema = z.object({
  sub: z.string().min(1).max(SUBJECT_MAX),
  email: z.email().max(EMAIL_MAX).toLowerCase().optional().catch(undefined),
  email_verified: z.boolean().optional().catch(undefined),
  name: text(NAME_MAX),
  preferred_username: text(NAME_MAX),
});

function personOf(claims: z.infer<typeof claimsSchema>): ExternalPerson {
  const email = claims.email ?? null;
  return {
    accountId: claims.sub,
    email,
    isEmailProven: email !== null && claims.email_verified === true,
    name: claims.name || null,
    username: claims.preferred_username || null,
  };
}

/** The provider's published metadata, reloaded every ten minutes. */
async function discovered(provider: ExternalProvider): Promise<CachedProvider> {
  const found = cachedProviders.get(provider.issuer);
  if (found && Date.now() < found.until) return found;
  const issuer = new URL(provider.issuer);
  const response = await oauth.discoveryRequest(issuer, { algorithm: "oidc", ...spoken(provider) });
  if (response.status !== 200) throw new ExternalSignInFailed("oauth_provider_unavailable");
  const fresh = {
    as: await oauth.processDiscoveryResponse(issuer, response),
    keys: {},
    until: Date.now() + RETAINED_MS,
  };
  cachedProviders.set(provider.issuer, fresh);
  return fresh;
}

function spoken({ issuer }: ExternalProvider) {
  return {
    [oauth.customFetch]: answered,
    [oauth.allowInsecureRequests]: isLocalhost(new URL(issuer)),
  };
}

/** Turns every failure of a provider, unreachable, slow or broken, into one refusal. */
async function answered(
  address: string,
  {
    body,
    headers,
    method,
    redirect,
  }: oauth.CustomFetchOptions<string, URLSearchParams | undefined | null>,
): Promise<Response> {
  try {
    const response = await fetch(address, {
      body: body ?? null,
      headers,
      method,
      redirect,
      signal: AbortSignal.timeout(ANSWERS_WITHIN_MS),
    });
    if (response.status < 500) return response;
  } catch {
    // Refused below.
  }
  throw new ExternalSignInFailed("oauth_provider_unavailable");
}

/**
 * Client authentication: in the body if the provider supports it, since not all decode the header
 * by RFC 6749, section 2.3.1. Without metadata the header is the default.
 */
function secretOf(
  as: oauth.AuthorizationServer,
  { clientSecret }: ExternalProvider,
): oauth.ClientAuth {
  const isInBody =
    as.token_endpoint_auth_methods_supported?.includes("client_secret_post") ?? false;
  return isInBody ? oauth.ClientSecretPost(clientSecret) : oauth.ClientSecretBasic(clientSecret);
}

/** Derived with the secret, so that the state reveals neither value. */
const verifierOf = ({ secret, state }: OidcFlow): Promise<string> =>
  keyedHash(secret, "oidc-verifier", state);
const nonceOf = ({ secret, state }: OidcFlow): Promise<string> =>
  keyedHash(secret, "oidc-nonce", state);

/** Turns every failure of a provider into a refusal: its fault is not ours. */
async function asProviderRefusal<Result>(
  act: () => Promise<Result>,
  provider?: ExternalProvider,
): Promise<Result> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof ExternalSignInFailed) throw error;
    if (error instanceof oauth.AuthorizationResponseError)
      throw new ExternalSignInFailed(codeOf(error.error, provider));
    if (
      error instanceof oauth.ResponseBodyError ||
      error instanceof oauth.WWWAuthenticateChallengeError
    )
      throw new ExternalSignInFailed("oauth_answer_refused");
    if (
      error instanceof oauth.OperationProcessingError ||
      error instanceof oauth.UnsupportedOperationError ||
      error instanceof z.ZodError
    )
      throw new ExternalSignInFailed("oauth_answer_refused");
    throw error;
  }
}

function codeOf(error: string, provider: ExternalProvider | undefined) {
  if (error === "access_denied")
    return provider?.id === "google" ? "oauth_access_denied" : "oauth_access_denied__other";
  return error === "server_error" || error === "temporarily_unavailable"
    ? "oauth_provider_unavailable"
    : "oauth_answer_refused";
}
