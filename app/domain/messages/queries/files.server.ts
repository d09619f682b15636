import { sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import type { Recording } from "#app/domain/messages/rules/recording.ts";
import type { MessageFile } from "#app/domain/messages/schema.ts";

/** A file as its row of `media` has it. */
export type StoredFile = Omit<MessageFile, "isSensitive" | "recording">;

/** The files of `filesId` (an SQL expression) in their order, as rows `item` of a subquery. */
const ordered = (filesId: SQL): SQL =>
  sql`(SELECT f.* FROM message_files placed JOIN media f ON f.id = placed.media_id WHERE placed.files_id = ${filesId} ORDER BY placed.position) item`;

/** Selects the files of `filesId` as JSON of `StoredFile[]`, in order. */
export const filesJson = (filesId: SQL): SQL =>
  sql`(SELECT json_group_array(json_object('id', item.id, 'kind', item.kind, 'alt', item.alt, 'width', item.width, 'height', item.height, 'filename', item.filename, 'sizeBytes', item.size_bytes)) FROM ${ordered(filesId)})`;

/** Selects the kinds of the files of `filesId` as JSON of `MediaKind[]`, in order. */
export const fileKindsJson = (filesId: SQL): SQL =>
  sql`(SELECT json_group_array(item.kind) FROM ${ordered(filesId)})`;

/** Joins stored files with what their message says of them. A recording is the first file. */
export const filesFrom = (row: {
  files: StoredFile[];
  isSensitive: 0 | 1;
  recording: Recording | null;
}): MessageFile[] =>
  row.files.map((file, at) => ({
    ...file,
    isSensitive: row.isSensitive === 1,
    recording: at === 0 ? row.recording : null,
  }));
