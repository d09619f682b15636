import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** One uploaded file. Its bytes live in R2 under `media/<id>/<variant>`. */
export const media = sqliteTable(
  "media",
  {
    id: text("id").primaryKey(),
    ownerId: text("owner_id").notNull(),
    /** `avatar` and `banner` are public; `post` follows the access of its post. */
    purpose: text("purpose", { enum: ["avatar", "banner", "post"] }).notNull(),
    contentType: text("content_type").notNull(),
    sizeBytes: integer("size_bytes").notNull(),
    width: integer("width").notNull(),
    height: integer("height").notNull(),
    alt: text("alt").notNull().default(""),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [index("media_owner").on(table.ownerId, table.createdAt)],
);
