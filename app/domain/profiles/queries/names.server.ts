import { sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";

/** A person's name, as an expression for another module's statement. */
export const profileName = (personId: string): SQL =>
  sql`(SELECT named.name FROM profiles named WHERE named.person_id = ${personId})`;

/** Whether a person muted another, as a condition for another module's statement. */
export const isMutedBy = ({ personId, otherId }: { personId: string; otherId: string }): SQL =>
  sql`EXISTS (SELECT 1 FROM mutes mute WHERE mute.muter_id = ${personId} AND mute.muted_id = ${otherId})`;
