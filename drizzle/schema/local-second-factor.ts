import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** The second factor of a local user. Only app/integrations/local-identity reads it. */
export const authSecondFactors = sqliteTable("auth_second_factors", {
  userId: text("user_id").primaryKey(),
  /** Shared with the person's authenticator, encrypted. */
  secret: text("secret").notNull(),
  createdAt: integer("created_at").notNull(),
  /** Null until the first right code: until then nobody is asked for one. */
  confirmedAt: integer("confirmed_at"),
  /** The time step of the last code that was accepted: a code opens once. */
  lastStep: integer("last_step").notNull().default(0),
});

/** Each opens once when the authenticator is lost; only keyed hashes are kept. */
export const authBackupCodes = sqliteTable(
  "auth_backup_codes",
  {
    codeHash: text("code_hash").primaryKey(),
    userId: text("user_id").notNull(),
    usedAt: integer("used_at"),
  },
  (table) => [index("auth_backup_codes_user").on(table.userId)],
);
