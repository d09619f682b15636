import { sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";

/** A person's name, as an expression for another module's statement. */
export const profileName = (personId: string): SQL =>
  sql`(SELECT named.name FROM profiles named WHERE named.person_id = ${personId})`;

/** A person's username, as an expression for another module's statement. */
export const profileUsername = (personId: string): SQL =>
  sql`(SELECT named.username FROM profiles named WHERE named.person_id = ${personId})`;
