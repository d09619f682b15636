import { eq } from "drizzle-orm";
import { commit } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { newPersonStatements } from "#app/domain/identity/commands.server.ts";
import { TERMS_VERSION } from "#app/domain/identity/registration/rules/terms.ts";
import { isoDay } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";
import { registerProfileStatements, updateProfile } from "#app/domain/profiles/commands.server.ts";
import { registrationStatements } from "#app/integrations/local-identity/registration/registration.server.ts";
import { people } from "#drizzle/schema/identity.ts";

export const DEMO_PASSWORD = "coreto-demo-2026";
/** Nobody sees it: it only says that the townspeople are grown up. */
const BIRTH_DATE = "1991-06-24";

export type Townsperson = { id: string; username: string; name: string; email: string };

/** Someone who can sign in with the demo password, with a profile, as registering makes them. */
export async function register(
  ctx: Context,
  { username, name, passwordHash }: { username: string; name: string; passwordHash: string },
): Promise<Townsperson> {
  const email = `${username}@coreto.test`;
  const id = ctx.newId();
  const userId = ctx.newId();
  await commit(ctx.db, [
    ...registrationStatements(ctx.db, {
      userId,
      name,
      username,
      email,
      createdAt: ctx.now(),
      by: { kind: "password", passwordHash },
    }),
    ...newPersonStatements(ctx, {
      personId: id,
      provider: "local",
      user: { providerUserId: userId, email, name, username },
      registered: { birthDate: BIRTH_DATE, termsVersion: termsOf(ctx.now()) },
    }),
    ...registerProfileStatements(ctx, { personId: id, username, name }),
  ]);
  return { id, username, name, email };
}

/** The terms of that day: those of its year, until the ones in force now applied. */
function termsOf(now: Instant): string {
  const day = isoDay(now);
  return day < TERMS_VERSION ? `${day.slice(0, 4)}-01-01` : TERMS_VERSION;
}

/** A fan says where they live. */
export async function saveCity(
  ctx: Context,
  person: Townsperson,
  { city, avatarMediaId }: { city: string; avatarMediaId: string | null },
): Promise<void> {
  await updateProfile(ctx, {
    personId: person.id,
    name: person.name,
    bio: "",
    craft: "",
    city,
    avatarMediaId,
    bannerMediaId: null,
  });
}

/** Staff is named by whoever runs the platform, outside the product. */
export async function makeModerator(ctx: Context, { id }: Townsperson): Promise<void> {
  await ctx.db.update(people).set({ isModerator: true }).where(eq(people.id, id));
}

/** A CPF with right check digits out of nine digits. */
export function cpfOf(nine: string): string {
  const digits = [...nine].map(Number);
  for (const weight of [10, 11]) {
    const sum = digits.reduce((total, digit, index) => total + digit * (weight - index), 0);
    digits.push(((sum * 10) % 11) % 10);
  }
  return digits.join("");
}
