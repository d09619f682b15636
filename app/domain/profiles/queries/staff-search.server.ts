import { asc, eq, or, sql } from "drizzle-orm";
import { foldedName } from "#app/db/folded-name.ts";
import type { Context } from "#app/domain/context.ts";
import { foldName } from "#app/lib/fold-name.ts";
import { billingDetails } from "#drizzle/schema/billing.ts";
import { documents } from "#drizzle/schema/documents.ts";
import { people } from "#drizzle/schema/identity.ts";
import { profiles } from "#drizzle/schema/profiles.ts";

const SHORTEST_NAME = 2;

/**
 * Returns the people whom the staff means by `text`: a username, an email or a CPF or CNPJ as a
 * whole, or a part of a name, with or without its accents. An exact username or email comes first.
 * Suspended people are included.
 */
export async function peopleForStaff(
  ctx: Context,
  { text, limit }: { text: string; limit: number },
): Promise<{ id: string; name: string; username: string }[]> {
  const typed = text.trim().toLowerCase();
  const username = typed.replace(/^@/, "");
  const taxId = text.replaceAll(/[\s./-]/g, "").toUpperCase();
  const named = username.length < SHORTEST_NAME ? null : `%${asPattern(foldName(username))}%`;
  const isExact = or(eq(profiles.username, username), eq(people.email, typed));
  return await ctx.db
    .select({ id: profiles.personId, name: profiles.name, username: profiles.username })
    .from(profiles)
    .innerJoin(people, eq(people.id, profiles.personId))
    .where(
      or(
        isExact,
        sql`${profiles.personId} IN (SELECT d.person_id FROM ${documents} d WHERE d.cpf = ${taxId} OR d.tax_id = ${taxId})`,
        sql`${profiles.personId} IN (SELECT b.person_id FROM ${billingDetails} b WHERE b.tax_id = ${taxId})`,
        named === null ? undefined : sql`${foldedName(profiles.name)} LIKE ${named} ESCAPE '\\'`,
      ),
    )
    .orderBy(sql`${isExact} DESC`, asc(profiles.name), asc(profiles.personId))
    .limit(limit);
}

const asPattern = (text: string): string => text.replaceAll(/[\\%_]/g, String.raw`\$&`);
