import { integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";

/** A person as the product knows them; who they are is the identity provider's business. */
export const people = sqliteTable(
  "people",
  {
    id: text("id").primaryKey(),
    provider: text("provider").notNull(),
    providerUserId: text("provider_user_id").notNull(),
    email: text("email").notNull(),
    isModerator: integer("is_moderator", { mode: "boolean" }).notNull().default(false),
    bannedAt: integer("banned_at"),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [
    uniqueIndex("people_provider_user").on(table.provider, table.providerUserId),
    uniqueIndex("people_email").on(table.email),
  ],
);
