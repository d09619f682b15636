import { and, desc, eq } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import type { RegistrationDetails } from "#app/domain/identity/registration/schema/registration.ts";
import { people, termsAcceptances } from "#drizzle/schema/identity.ts";
import { profiles } from "#drizzle/schema/profiles.ts";

export type TermsAcceptance = { version: string; acceptedAt: number };

/** Returns which terms a person accepted, the latest first. `acceptedAt` is in epoch milliseconds. */
export async function termsAccepted(
  ctx: Context,
  { personId }: { personId: string },
): Promise<TermsAcceptance[]> {
  return ctx.db
    .select({ version: termsAcceptances.version, acceptedAt: termsAcceptances.acceptedAt })
    .from(termsAcceptances)
    .where(eq(termsAcceptances.personId, personId))
    .orderBy(desc(termsAcceptances.version));
}

/**
 * Builds the statement of the latest version that a person accepted. For pages that read more in
 * the same round trip.
 */
export function latestTermsStatement(ctx: Context, { personId }: { personId: string }) {
  return ctx.db
    .select({ version: termsAcceptances.version })
    .from(termsAcceptances)
    .where(eq(termsAcceptances.personId, personId))
    .orderBy(desc(termsAcceptances.version))
    .limit(1);
}

/**
 * Whether a person registered with exactly these details. Then a repeated registration changes
 * nothing.
 */
export async function isRegisteredWith(
  ctx: Context,
  { personId, details }: { personId: string; details: RegistrationDetails },
): Promise<boolean> {
  const row = await ctx.db
    .select({ registeredAt: people.registeredAt })
    .from(people)
    .innerJoin(profiles, eq(profiles.personId, people.id))
    .innerJoin(
      termsAcceptances,
      and(
        eq(termsAcceptances.personId, people.id),
        eq(termsAcceptances.version, details.termsVersion),
      ),
    )
    .where(
      and(
        eq(people.id, personId),
        eq(people.birthDate, details.birthDate),
        eq(profiles.username, details.username),
        eq(profiles.name, details.name),
      ),
    )
    .get();
  return (row?.registeredAt ?? null) !== null;
}

/** Whether a person has `email` (lower-case) here, with any identity provider. */
export async function emailInUse(ctx: Context, { email }: { email: string }): Promise<boolean> {
  return (
    (await ctx.db.select({ id: people.id }).from(people).where(eq(people.email, email)).get()) !==
    undefined
  );
}
