import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** The second factor of a local user. Only app/integrations/local-identity reads it. */
export const authSecondFactors = sqliteTable("auth_second_factors", {
  userId: text("user_id").primaryKey(),
  /** The secret shared with the person's authenticator, encrypted. */
  secret: text("secret").notNull(),
  createdAt: integer("created_at").notNull(),
  /** Null until the first correct code; before that no code is required. */
  confirmedAt: integer("confirmed_at"),
  /** The time step of the last accepted code: each code works once. */
  lastStep: integer("last_step").notNull().default(0),
});

/** Backup codes for a lost authenticator. Each works once; only keyed hashes are stored. */
export const authBackupCodes = sqliteTable(
  "auth_backup_codes",
  {
    codeHash: text("code_hash").primaryKey(),
    userId: text("user_id").notNull(),
    usedAt: integer("used_at"),
  },
  (table) => [index("auth_backup_codes_user").on(table.userId)],
);
