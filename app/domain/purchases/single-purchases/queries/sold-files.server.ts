import { sql } from "drizzle-orm";
import type { SoldFileKind } from "#app/domain/purchases/rules.ts";

/** Selects the kinds of the files of a message, in their order. It is a column of a larger query. */
export const soldFileKinds = sql<
  SoldFileKind[]
>`(SELECT json_group_array(item.kind) FROM (SELECT f.kind FROM message_files placed JOIN media f ON f.id = placed.media_id WHERE placed.files_id = messages.files_id ORDER BY placed.position) item)`
  .mapWith((text: string): SoldFileKind[] => JSON.parse(text))
  .as("file_kinds");
