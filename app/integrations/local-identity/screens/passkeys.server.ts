import type { Identified } from "#app/domain/identity/schema.ts";
import type { Passkey, PasskeyAnswer } from "#app/domain/identity/sign-in/schema/passkeys.ts";
import * as passkeys from "#app/integrations/local-identity/second-factor/passkeys.server.ts";
import * as provider from "#app/integrations/local-identity/provider.server.ts";
import { localFactors } from "#app/integrations/local-identity/second-factor/second-factor.server.ts";
import type { SecondFactorStore } from "#app/integrations/local-identity/second-factor/second-factor.server.ts";
import type { TypedProof } from "#app/integrations/local-identity/account/current-password.server.ts";
import type { LocalAsked } from "./asked.server.ts";

/** The passkeys of the current user, newest first. */
export const ownPasskeys = (asked: LocalAsked): Promise<Passkey[]> =>
  passkeys.memberPasskeys(factorsOf(asked), asked.request);

/**
 * The options for creating a passkey in the browser. Refuses a wrong proof of the owner, and too
 * many passkeys.
 */
export const registrationOptions = (asked: LocalAsked, input: TypedProof) =>
  passkeys.registrationOptions(factorsOf(asked), asked.local, asked.request, input);

/** Saves the passkey that an authenticator created. */
export const keepPasskey = (
  asked: LocalAsked,
  made: { name: string; response: PasskeyAnswer },
): Promise<void> => passkeys.savePasskey(factorsOf(asked), asked.local, asked.request, made);

/** The options for signing in with a passkey. */
export const authenticationOptions = (asked: LocalAsked) =>
  passkeys.authenticationOptions(factorsOf(asked), asked.local);

/** Deletes a passkey. Refuses a wrong proof of the owner, and anybody else's. */
export const removePasskey = (
  asked: LocalAsked,
  input: TypedProof & { passkeyId: string },
): Promise<{ name: string }> => passkeys.removePasskey(factorsOf(asked), asked.request, input);

/** Signs in with a passkey. Refuses an answer of an unknown passkey. */
export const enterWithPasskey = (
  { local, request }: LocalAsked,
  answer: { response: PasskeyAnswer },
): Promise<Identified> => provider.enterWithPasskey(local, request, answer);

const factorsOf = ({ local, ctx }: LocalAsked): SecondFactorStore =>
  localFactors(local, ctx.realNow());
