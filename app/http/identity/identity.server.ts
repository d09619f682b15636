import { commit } from "#app/db/client.server.ts";
import { UniqueViolation } from "#app/db/errors.ts";
import type { Context } from "#app/domain/context.ts";
import { newPersonStatements } from "#app/domain/identity/commands.server.ts";
import { migratePersonToProvider } from "#app/domain/identity/identity-provider/commands/migrate-provider.server.ts";
import { AccountSuspended, EmailTaken } from "#app/domain/identity/errors.ts";
import { AccountDeleted } from "#app/domain/identity/identity-provider/errors.ts";
import { memberByProviderUser } from "#app/domain/identity/queries.server.ts";
import { withUniqueSuffix } from "#app/domain/identity/registration/rules/usernames.ts";
import type { MemberRow } from "#app/domain/identity/schema.ts";
import type { Member, ProviderUser } from "#app/domain/identity/schema.ts";
import type { VouchedUser } from "#app/domain/identity/identity-provider/schema/provider.ts";
import { mediaUrl } from "#app/domain/media/rules.ts";
import { registerProfileStatements } from "#app/domain/profiles/commands.server.ts";

/**
 * The person of a provider's user. An unknown user becomes a person in one batch, with a profile to
 * complete; until then they are not a member. Refuses a suspended account.
 */
export async function memberOfProviderUser(
  ctx: Context,
  provider: string,
  user: ProviderUser,
): Promise<Member> {
  const member = await memberByProviderUser(ctx, { provider, providerUserId: user.providerUserId });
  if (member) return toMember(member);
  const moved = await movedHere(ctx, provider, user);
  if (moved) return toMember(moved);
  for (const username of usernameCandidates(ctx, user.username)) {
    try {
      const personId = ctx.newId();
      await commit(ctx.db, [
        ...newPersonStatements(ctx, { personId, provider, user }),
        ...registerProfileStatements(ctx, { personId, username, name: user.name }),
      ]);
      ctx.log("identity.person_made", { personId, provider });
      break;
    } catch (error) {
      if (!(error instanceof UniqueViolation)) throw error;
      // A concurrent request of the same person may have been first. Then every index refuses, and
      // the error names only one.
      const first = await memberByProviderUser(ctx, {
        provider,
        providerUserId: user.providerUserId,
      });
      if (first) return toMember(first);
      if (error.columns.includes("people.email")) throw new EmailTaken();
    }
  }
  const made = await memberByProviderUser(ctx, { provider, providerUserId: user.providerUserId });
  if (!made) throw new Error("a person on first sight could not be made");
  return toMember(made);
}

/**
 * The person whom the operator moved to `provider` with all their data, when first seen there; null
 * otherwise.
 */
async function movedHere(
  ctx: Context,
  provider: string,
  { providerUserId, movedPersonId }: ProviderUser,
): Promise<MemberRow | null> {
  if (movedPersonId === undefined) return null;
  await migratePersonToProvider(ctx, { personId: movedPersonId, provider, providerUserId });
  return memberByProviderUser(ctx, { provider, providerUserId });
}

/** A person authenticated by a provider: a member, or one who must complete their profile first. */
export type VouchedPerson = { person: Member; isRegistered: boolean };

/**
 * The person of an authenticated user; the provider is asked only about an unknown one. Refuses
 * like `memberOfProviderUser`.
 */
export async function personOfVouchedUser(
  ctx: Context,
  provider: string,
  { providerUserId, details, member }: VouchedUser,
): Promise<VouchedPerson> {
  const existing = member ?? (await memberByProviderUser(ctx, { provider, providerUserId }));
  if (existing) return { person: toMember(existing), isRegistered: existing.registeredAt !== null };
  const person = await memberOfProviderUser(ctx, provider, await details());
  const seen = await memberByProviderUser(ctx, { provider, providerUserId });
  return { person, isRegistered: seen !== null && seen.registeredAt !== null };
}

/** The wanted username, then variants with a unique suffix. */
function usernameCandidates(ctx: Context, wanted: string): string[] {
  return [wanted, ...[ctx.newId(), ctx.newId()].map((id) => withUniqueSuffix(wanted, id))];
}

/** Converts a row to a member. Refuses a suspended account, and a deleted one. */
export function toMember(row: MemberRow): Member {
  if (row.deletedAt !== null) throw new AccountDeleted();
  if (row.bannedAt !== null) throw new AccountSuspended();
  return {
    id: row.id,
    email: row.email,
    username: row.username,
    name: row.name,
    avatarUrl: row.avatarMediaId ? mediaUrl(row.avatarMediaId, "320") : null,
    isCreator: row.isCreator,
    isModerator: row.isModerator,
    leavingAt: row.leavingAt,
  };
}
