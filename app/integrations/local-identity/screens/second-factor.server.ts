import type { Identified } from "#app/domain/identity/schema.ts";
import type { SecondFactor } from "#app/domain/identity/sign-in/schema/second-factor.ts";
import * as provider from "#app/integrations/local-identity/provider.server.ts";
import * as factor from "#app/integrations/local-identity/second-factor.server.ts";
import { userOfTicket } from "#app/integrations/local-identity/sign-in-ticket.server.ts";
import type { LocalAsked } from "./asked.server.ts";

/** The second factor of whoever asks, or null. */
export const ownSecondFactor = (asked: LocalAsked): Promise<SecondFactor | null> =>
  factor.memberSecondFactor(factorsOf(asked), asked.request);

/** Turning it on starts with the password. */
export const startEnrolment = (
  asked: LocalAsked,
  input: { currentPassword: string },
): Promise<void> => factor.startEnrolment(factorsOf(asked), asked.request, input);

/** What an authenticator needs, while its first code is still owed; else null. */
export const waitingEnrolment = (asked: LocalAsked) =>
  factor.pendingEnrolment(factorsOf(asked), asked.request);

/** Turns it on with the first code, and gives the backup codes. */
export const confirmEnrolment = (asked: LocalAsked, input: { code: string }): Promise<string[]> =>
  factor.confirmEnrolment(factorsOf(asked), asked.request, input);

/** Ten new backup codes, in place of those that are left. */
export const renewBackupCodes = (
  asked: LocalAsked,
  input: { currentPassword: string },
): Promise<string[]> => factor.renewBackupCodes(factorsOf(asked), asked.request, input);

/** Turns it off. */
export const removeSecondFactor = (
  asked: LocalAsked,
  input: { currentPassword: string },
): Promise<void> => factor.removeSecondFactor(factorsOf(asked), asked.request, input);

/** Whether `ticket` still stands for a password whose code is owed. */
export async function isTicketOpen({ local, ctx }: LocalAsked, ticket: string): Promise<boolean> {
  return (await userOfTicket({ secret: local.secret, now: ctx.realNow() }, ticket)) !== null;
}

/**
 * The code after the password that `ticket` stands for. Refuses a wrong or used code, too many
 * tries, and a ticket that is over.
 */
export const enterWithCode = (
  { local, request }: LocalAsked,
  input: { ticket: string; code: string },
): Promise<Identified> => provider.enterWithCode(local, request, input);

const factorsOf = ({ local, ctx }: LocalAsked): factor.SecondFactorStore =>
  factor.localFactors(local, ctx.realNow());
