import { commit } from "#app/db/client.server.ts";
import { StaleWrite } from "#app/db/errors.ts";
import type { Context } from "#app/domain/context.ts";
import {
  claimUploadStatement,
  discardUnsavedFile,
  prepareFormFile,
} from "#app/domain/media/commands/form-file.server.ts";
import type { PreparedFile } from "#app/domain/media/commands/form-file.server.ts";
import { unusedMediaCount } from "#app/domain/media/queries/unused.server.ts";
import type { MessageFilesWrite } from "./statements.server.ts";
import {
  CannotSellFile,
  CannotWrite,
  ConversationNotFound,
  FilesWaitForAcceptance,
  MessageFilesGone,
  TooManyMessageFiles,
} from "#app/domain/messages/errors.ts";
import { canSellFiles } from "#app/domain/messages/queries/sales.server.ts";
import { loadWriting } from "#app/domain/messages/queries/writing.server.ts";
import { MESSAGE_FILE_LIMITS } from "#app/domain/messages/rules.ts";
import type { Recording } from "#app/domain/messages/rules/recording.ts";
import { decideWriting } from "#app/domain/messages/rules/writing.ts";
import type { UploadedFile } from "#app/domain/messages/schema.ts";
import type { Cents } from "#app/domain/money.ts";
import { rateLimitStatements } from "#app/domain/rate-limits/commands.server.ts";
import { rateLimitResetAt } from "#app/domain/rate-limits/queries.server.ts";

type Place = { conversationId: string; personId: string };
type FormFile = { file: File; alt: string };

/** The files of a message: first those of `storeMessageFile`, then those of the form itself. */
export type OutgoingFiles = {
  uploaded: UploadedFile[];
  files: FormFile[];
  isSensitive: boolean;
  recording: Recording | null;
  /** What they cost the recipient (centavos); null for files that are not sold. */
  priceCents: Cents | null;
};

/**
 * Prepares the files of a message, for `sendMessage`: stores the bytes of the form's files. Null
 * without files, and if the message was sent already. It stores nothing for who may not write or,
 * with a price, not sell, and counts each file of the form: 50 a day. If one of them is refused,
 * nothing stays stored. Refuses ConversationNotFound, CannotWrite, FilesWaitForAcceptance and what
 * `filesWrite` refuses.
 */
export async function prepareMessageFiles(
  ctx: Context,
  {
    conversationId,
    personId,
    clientMessageId,
    ...outgoing
  }: Place & OutgoingFiles & { clientMessageId: string },
): Promise<MessageFilesWrite | null> {
  if (outgoing.uploaded.length + outgoing.files.length === 0) return null;
  const found = await requireFilesAllowed(ctx, { conversationId, personId }, clientMessageId);
  return found.sentSeq === null ? await filesWrite(ctx, { personId, ...outgoing }) : null;
}

/**
 * Stores one file for a message that is sent later. Returns its id. Without a message, the sweep
 * deletes it after a week. Counts as `prepareMessageFiles` does, and refuses the same.
 */
export async function storeMessageFile(
  ctx: Context,
  { file, ...place }: Place & { file: File },
): Promise<{ id: string }> {
  await requireFilesAllowed(ctx, place, "");
  return await storeUploadedFile(ctx, { personId: place.personId, file });
}

/** `storeMessageFile` for a message to many. Refuses TooManyMessageFiles and a refused file. */
export async function storeUploadedFile(
  ctx: Context,
  { personId, file }: { personId: string; file: File },
): Promise<{ id: string }> {
  await countFiles(ctx, personId, 1);
  const { mediaId, statement } = await prepareOne(ctx, personId, { file, alt: "" });
  await commit(ctx.db, [statement]);
  return { id: mediaId };
}

/**
 * Prepares files for the batch of a message, or of a broadcast, of `personId`. Refuses
 * CannotSellFile, MessageFilesGone, TooManyMessageFiles and what `prepareFormFile` refuses.
 */
export async function filesWrite(
  ctx: Context,
  {
    personId,
    uploaded,
    files,
    isSensitive,
    recording,
    priceCents,
  }: OutgoingFiles & { personId: string },
): Promise<MessageFilesWrite> {
  if (priceCents !== null && !(await canSellFiles(ctx, { personId }))) throw new CannotSellFile();
  const mediaIds = uploaded.map(({ mediaId }) => mediaId);
  const ready = await unusedMediaCount(ctx, { ownerId: personId, purpose: "message", mediaIds });
  if (ready < mediaIds.length) throw new MessageFilesGone();
  if (files.length > 0) await countFiles(ctx, personId, files.length);
  const prepared = await prepareAll(ctx, personId, files);
  const unsavedIds = prepared.map(({ mediaId }) => mediaId);
  return {
    mediaIds: [...mediaIds, ...unsavedIds],
    writes: [
      ...uploaded.map((one) =>
        claimUploadStatement(ctx, { ownerId: personId, purpose: "message", ...one }),
      ),
      ...prepared.map(({ statement }) => statement),
    ],
    unsavedIds,
    isSensitive,
    recording,
    priceCents,
  };
}

async function requireFilesAllowed(ctx: Context, place: Place, clientMessageId: string) {
  const found = await loadWriting(ctx, place, clientMessageId);
  if (!found) throw new ConversationNotFound();
  if (found.sentSeq !== null) return found;
  const { box, problem } = decideWriting(found);
  if (problem) throw new CannotWrite(problem);
  if (box !== "inbox") throw new FilesWaitForAcceptance();
  return found;
}

async function countFiles(ctx: Context, personId: string, count: number): Promise<void> {
  const counted = { act: "message-file", personId, limits: MESSAGE_FILE_LIMITS };
  try {
    await commit(
      ctx.db,
      Array.from({ length: count }, () => rateLimitStatements(ctx, counted)).flat(),
    );
  } catch (error) {
    if (!(error instanceof StaleWrite)) throw error;
    throw new TooManyMessageFiles(await rateLimitResetAt(ctx, counted));
  }
}

const prepareOne = (ctx: Context, ownerId: string, { file, alt }: FormFile) =>
  prepareFormFile(ctx, { ownerId, purpose: "message", file, alt });

async function prepareAll(
  ctx: Context,
  personId: string,
  files: readonly FormFile[],
): Promise<PreparedFile[]> {
  const prepared: PreparedFile[] = [];
  try {
    // One after the other: each is held in memory.
    for (const file of files) prepared.push(await prepareOne(ctx, personId, file));
    return prepared;
  } catch (error) {
    for (const one of prepared) await discardUnsavedFile(ctx, one);
    throw error;
  }
}
