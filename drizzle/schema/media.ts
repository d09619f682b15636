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
     * its collection.
     */
    purpose: text("purpose", { enum: ["avatar", "banner", "post", "cover"] }).notNull(),
    kind: text("kind", { enum: ["image", "video", "audio", "document"] })
      .notNull()
      .default("image"),
    contentType: text("content_type").notNull(),
    sizeBytes: integer("size_bytes").notNull(),
    /** Pixels; 0 for what is not seen. */
    width: integer("width").notNull(),
    height: integer("height").notNull(),
    alt: text("alt").notNull().default(""),
    /** As the person named it; empty for images, which are kept re-encoded. */
    filename: text("filename").notNull().default(""),
    /** A video's poster, and with it a face. */
    hasPoster: integer("has_poster", { mode: "boolean" }).notNull().default(false),
    /** 0 without captions; each new file of captions is the next version. */
    captionsVersion: integer("captions_version").notNull().default(0),
    createdAt: integer("created_at").notNull(),
    /**
     * Since when nothing is known to show it; null while something does. Kept by triggers, verified
     * by the sweeper.
     */
    unusedSince: integer("unused_since"),
    /** Claimed by the sweeper: nothing may begin to use it, and its bytes go soon. */
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

/** A file on its way, in parts. Its id becomes the media's. */
export const mediaUploads = sqliteTable(
  "media_uploads",
  {
    id: text("id").primaryKey(),
    ownerId: text("owner_id").notNull(),
    kind: text("kind", { enum: ["image", "video", "audio", "document"] }).notNull(),
    filename: text("filename").notNull(),
    /** Name, size and date of the file, so that the same one goes on where it stopped. */
    fingerprint: text("fingerprint").notNull(),
    sizeBytes: integer("size_bytes").notNull(),
    partSizeBytes: integer("part_size_bytes").notNull(),
    /** The bucket's own name of the multipart upload. */
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

/** How much each person keeps; moved by triggers as media come and go. */
export const mediaUsage = sqliteTable("media_usage", {
  ownerId: text("owner_id").primaryKey(),
  storedBytes: integer("stored_bytes").notNull(),
});
