import type { Identified } from "#app/domain/identity/schema.ts";
import type { SecondFactor } from "#app/domain/identity/sign-in/schema/second-factor.ts";
import * as provider from "#app/integrations/local-identity/provider.server.ts";
import * as factor from "#app/integrations/local-identity/second-factor/second-factor.server.ts";
import type { TypedProof } from "#app/integrations/local-identity/account/current-password.server.ts";
import { userOfTicket } from "#app/integrations/local-identity/sessions/sign-in-ticket.server.ts";
import type { LocalAsked } from "./asked.server.ts";

/** The second factor of the current user; null without one. */
export const ownSecondFactor = (asked: LocalAsked): Promise<SecondFactor | null> =>
  factor.memberSecondFactor(factorsOf(asked), asked.request);

/** Starts enrolment. Requires a proof of the owner. */
export const startEnrolment = (asked: LocalAsked, input: TypedProof): Promise<void> =>
  factor.startEnrolment(factorsOf(asked), asked.request, input);

/** The data for an authenticator, while the first code is pending; null otherwise. */
export const waitingEnrolment = (asked: LocalAsked) =>
  factor.pendingEnrolment(factorsOf(asked), asked.request);

/** Enables it with the first code, and returns the backup codes. */
export const confirmEnrolment = (asked: LocalAsked, input: { code: string }): Promise<string[]> =>
  factor.confirmEnrolment(factorsOf(asked), asked.request, input);

/** Creates ten new backup codes, replacing the remaining ones. */
export const renewBackupCodes = (asked: LocalAsked, input: TypedProof): Promise<string[]> =>
  factor.renewBackupCodes(factorsOf(asked), asked.request, input);

/** Disables it. */
export const removeSecondFactor = (asked: LocalAsked, input: TypedProof): Promise<void> =>
  factor.removeSecondFactor(factorsOf(asked), asked.request, input);

/** Whether `ticket` is valid and still waits for its code. */
export async function isTicketOpen({ local, ctx }: LocalAsked, ticket: string): Promise<boolean> {
  return (await userOfTicket({ secret: local.secret, now: ctx.realNow() }, ticket)) !== null;
}

/**
 * Signs in with the code after the password of `ticket`. Refuses a wrong or used code, too many
 * attempts, and an expired ticket.
 */
export const enterWithCode = (
  { local, request }: LocalAsked,
  input: { ticket: string; code: string },
): Promise<Identified> => provider.enterWithCode(local, request, input);

const factorsOf = ({ local, ctx }: LocalAsked): factor.SecondFactorStore =>
  factor.localFactors(local, ctx.realNow());
