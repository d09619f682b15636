import { commit } from "#app/db/client.server.ts";
import { StaleWrite, UniqueViolation } from "#app/db/errors.ts";
import { finishRegistrationWrites } from "#app/domain/identity/registration/commands.server.ts";
import { UsernameTaken } from "#app/domain/identity/errors.ts";
import { AlreadyRegistered } from "#app/domain/identity/registration/errors.ts";
import { isRegisteredWith } from "#app/domain/identity/registration/queries.server.ts";
import { enforceMinimumAge } from "#app/domain/identity/registration/rules/registration.ts";
import type { RegistrationDetails } from "#app/domain/identity/registration/schema/registration.ts";
import { renameProfileWrites } from "#app/domain/profiles/commands.server.ts";
import type { AuthRequest } from "./session.server.ts";

/**
 * Makes a member of a person with an external account, in one batch. Idempotent with the same
 * details; of two concurrent requests with different ones, one succeeds. Refuses an age under 16, a
 * taken username, and an existing member with other details.
 */
export async function completeProfile(
  { ctx }: Pick<AuthRequest, "ctx">,
  { personId, details }: { personId: string; details: RegistrationDetails },
): Promise<void> {
  const { name, username, birthDate, termsVersion } = details;
  enforceMinimumAge(birthDate, ctx.now());
  try {
    await commit(ctx.db, [
      ...finishRegistrationWrites(ctx, { personId, birthDate, termsVersion }),
      ...renameProfileWrites(ctx, { personId, username, name }),
      ...ctx.accounts.renameWrites({ personId, username, name, at: ctx.realNow() }),
    ]);
    ctx.log("identity.registered", { personId });
  } catch (error) {
    if (error instanceof UniqueViolation) throw new UsernameTaken();
    if (!(error instanceof StaleWrite)) throw error;
    if (!(await isRegisteredWith(ctx, { personId, details }))) throw new AlreadyRegistered();
  }
}
