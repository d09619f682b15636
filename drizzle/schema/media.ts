import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** One uploaded file. Its bytes live in R2 under `media/<id>/<variant>`. */
export const media = sqliteTable(
  "media",
  {
    id: text("id").primaryKey(),
    ownerId: text("owner_id").notNull(),
    /**
     * `avatar` and `banner` are public; `post` follows the access of its post, and `cover` that of
     * its collection. `message` is for the two sides of its conversation.
     */
    purpose: text("purpose", { enum: ["avatar", "banner", "post", "cover", "message"] }).notNull(),
    kind: text("kind", { enum: ["image", "video", "audio", "document"] })
      .notNull()
      .default("image"),
    contentType: text("content_type").notNull(),
    sizeBytes: integer("size_bytes").notNull(),
    /** Pixels; 0 for media without an image. */
    width: integer("width").notNull(),
    height: integer("height").notNull(),
    alt: text("alt").notNull().default(""),
    /** The original file name; empty for images, which are re-encoded. */
    filename: text("filename").notNull().default(""),
    /** A video's poster image. */
    hasPoster: integer("has_poster", { mode: "boolean" }).notNull().default(false),
    /** 0 without captions; each new file of captions is the next version. */
    captionsVersion: integer("captions_version").notNull().default(0),
    createdAt: integer("created_at").notNull(),
    /**
     * Since when no row is known to use it; null while one does. Triggers update it and the sweeper
     * verifies it.
     */
    unusedSince: integer("unused_since"),
    /** When the sweeper claimed it: nothing may start to use it, and its bytes are deleted soon. */
    sweptAt: integer("swept_at"),
  },
  (table) => [
    index("media_owner").on(table.ownerId, table.createdAt),
    index("media_unused")
      .on(table.unusedSince)
      .where(sql`unused_since IS NOT NULL`),
    index("media_swept")
      .on(table.sweptAt)
      .where(sql`swept_at IS NOT NULL`),
  ],
);

/** A file being uploaded in parts. Its id becomes the media's. */
export const mediaUploads = sqliteTable(
  "media_uploads",
  {
    id: text("id").primaryKey(),
    ownerId: text("owner_id").notNull(),
    kind: text("kind", { enum: ["image", "video", "audio", "document"] }).notNull(),
    filename: text("filename").notNull(),
    /** Name, size and date of the file, so that an interrupted upload of the same file resumes. */
    fingerprint: text("fingerprint").notNull(),
    sizeBytes: integer("size_bytes").notNull(),
    partSizeBytes: integer("part_size_bytes").notNull(),
    /** The bucket's id of the multipart upload. */
    bucketUploadId: text("bucket_upload_id").notNull(),
    hasPoster: integer("has_poster", { mode: "boolean" }).notNull().default(false),
    state: text("state", { enum: ["open", "done", "aborted"] }).notNull(),
    createdAt: integer("created_at").notNull(),
    touchedAt: integer("touched_at").notNull(),
  },
  (table) => [
    index("media_uploads_owner").on(table.ownerId, table.state),
    index("media_uploads_touched").on(table.touchedAt),
  ],
);

export const mediaUploadParts = sqliteTable(
  "media_upload_parts",
  {
    uploadId: text("upload_id").notNull(),
    /** From 1. */
    number: integer("number").notNull(),
    etag: text("etag").notNull(),
  },
  (table) => [primaryKey({ columns: [table.uploadId, table.number] })],
);

/** Storage used per person; triggers update it when media are added or removed. */
export const mediaUsage = sqliteTable("media_usage", {
  ownerId: text("owner_id").primaryKey(),
  storedBytes: integer("stored_bytes").notNull(),
});
