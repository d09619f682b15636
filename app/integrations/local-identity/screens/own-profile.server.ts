import { commit } from "#app/db/client.server.ts";
import { StaleWrite, UniqueViolation } from "#app/db/errors.ts";
import { UsernameTaken } from "#app/domain/identity/errors.ts";
import { usernameChangedEmail } from "#app/domain/identity/contacts/rules/contact-emails.ts";
import { usernameInUse } from "#app/domain/identity/queries.server.ts";
import type { Member } from "#app/domain/identity/schema.ts";
import { storeImage, uploadBytes } from "#app/domain/media/commands.server.ts";
import {
  syncPublicNameWrites,
  pictureWrites,
} from "#app/domain/profiles/commands/appearance.server.ts";
import { changeUsernameWrites } from "#app/domain/profiles/commands/username.server.ts";
import { TooManyUsernames, UsernameUnchanged } from "#app/domain/profiles/errors.ts";
import { formerUsernamesOf } from "#app/domain/profiles/queries/usernames.server.ts";
import { splitName, fullName, publicNameOf } from "#app/domain/profiles/rules/names.ts";
import { FORMER_USERNAMES_MAX } from "#app/domain/profiles/rules/usernames.ts";
import { formatDay } from "#app/domain/time.ts";
import {
  accountNames,
  renameUserWrites,
} from "#app/integrations/local-identity/account/rename.server.ts";
import { accountsOf } from "./asked.server.ts";
import type { LocalAsked } from "./asked.server.ts";
import { linkTo, mail, quietly } from "#app/domain/identity/commands/letters.server.ts";

type Own = { member: Member };

/**
 * First and last name of an account, split for correction if they were never given separately. Also
 * whether the public name follows them.
 */
export async function memberNames(
  asked: LocalAsked,
  { member }: Own,
): Promise<{ firstName: string; lastName: string; isPublicNameFollowing: boolean } | null> {
  const accounts = accountsOf(asked);
  const savedNames = await accountNames(accounts.db, { personId: member.id });
  if (!savedNames) return null;
  const { name, firstName, lastName } = savedNames;
  const names = firstName === null ? splitName(name) : { firstName, lastName: lastName ?? "" };
  return { ...names, isPublicNameFollowing: publicNameOf(name) === member.name };
}

/**
 * Saves first and last name and, if one was sent, the picture, in one batch. The public name
 * follows unless its owner changed it. Refuses an invalid picture, with the error at its field.
 */
export async function saveMemberProfile(
  asked: LocalAsked,
  {
    member,
    avatar,
    ...names
  }: Own & { firstName: string; lastName: string; avatar?: File | undefined },
): Promise<boolean> {
  const { ctx } = asked;
  const accounts = accountsOf(asked);
  const former = await accountNames(accounts.db, { personId: member.id });
  if (!former) return false;
  const name = fullName(names);
  const picture = avatar && {
    ownerId: member.id,
    purpose: "avatar" as const,
    bytes: await uploadBytes(avatar, "avatar"),
    alt: `Foto de ${publicNameOf(name)}`,
    field: "avatar",
  };
  const storedImage = picture ? await storeImage(ctx, picture) : null;
  await commit(ctx.db, [
    ...syncPublicNameWrites(ctx, {
      personId: member.id,
      from: publicNameOf(former.name),
      to: publicNameOf(name),
    }),
    ...renameUserWrites(ctx.db, { personId: member.id, at: ctx.realNow(), name, ...names }),
    ...(storedImage
      ? pictureWrites(ctx, { personId: member.id, mediaId: storedImage.mediaId })
      : []),
  ]);
  return true;
}

/** Removes the picture. Idempotent. */
export async function removeMemberPicture({ ctx }: LocalAsked, { member }: Own): Promise<void> {
  await commit(ctx.db, pictureWrites(ctx, { personId: member.id, mediaId: null }));
}

/**
 * Changes the username, for the page and for signing in. The former one redirects to the page for a
 * year and is reserved; the primary email is notified. Refuses a taken one, the same one, and more
 * than FORMER_USERNAMES_MAX changes within a year.
 */
export async function changeMemberUsername(
  asked: LocalAsked,
  { member, username }: Own & { username: string },
): Promise<void> {
  const { ctx } = asked;
  if (username === member.username) throw new UsernameUnchanged();
  const former = await formerUsernamesOf(ctx, { personId: member.id });
  const isOwn = former.some((left) => left.username === username);
  const held = former.filter((left) => left.username !== username);
  const [oldest] = held;
  if (oldest && held.length >= FORMER_USERNAMES_MAX)
    throw new TooManyUsernames(formatDay(oldest.heldUntil));
  if (!isOwn && (await usernameInUse(ctx, { username }))) throw new UsernameTaken();
  try {
    await commit(ctx.db, [
      ...changeUsernameWrites(ctx, { personId: member.id, from: member.username, username }),
      ...renameUserWrites(ctx.db, { personId: member.id, at: ctx.realNow(), username }),
    ]);
  } catch (error) {
    if (error instanceof UniqueViolation) throw new UsernameTaken();
    throw error instanceof StaleWrite && oldest
      ? new TooManyUsernames(formatDay(oldest.heldUntil))
      : error;
  }
  ctx.log("identity.username_changed", { personId: member.id });
  const letter = usernameChangedEmail({
    username,
    former: member.username,
    reset: linkTo(ctx, "/auth/reset"),
    account: linkTo(ctx, "/auth/account/username"),
  });
  await quietly(ctx, async () => mail(ctx, { key: ctx.newId(), to: member.email }, letter));
}
