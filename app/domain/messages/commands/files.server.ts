import type { Context } from "#app/domain/context.ts";
import { prepareFormFile } from "#app/domain/media/commands/form-file.server.ts";
import type { MessageFileWrite } from "#app/domain/messages/commands/statements.server.ts";
import {
  CannotWrite,
  ConversationNotFound,
  FilesWaitForAcceptance,
  TooManyMessageFiles,
} from "#app/domain/messages/errors.ts";
import { loadWriting } from "#app/domain/messages/queries/writing.server.ts";
import { MESSAGE_FILE_LIMITS } from "#app/domain/messages/rules.ts";
import type { Recording } from "#app/domain/messages/rules/recording.ts";
import { decideWriting } from "#app/domain/messages/rules/writing.ts";
import { countAction } from "#app/domain/rate-limits/commands.server.ts";

type OutgoingFile = {
  conversationId: string;
  personId: string;
  clientMessageId: string;
  file: File;
  alt: string;
  isSensitive: boolean;
  recording: Recording | null;
};

/**
 * Stores the bytes of a message's file, for `sendMessage`. Null if the message was sent already. It
 * stores nothing for who may not write, and counts each try: 50 a day. Refuses
 * ConversationNotFound, CannotWrite, FilesWaitForAcceptance, TooManyMessageFiles and what
 * `prepareFormFile` refuses.
 */
export async function prepareMessageFile(
  ctx: Context,
  { conversationId, personId, clientMessageId, file, alt, isSensitive, recording }: OutgoingFile,
): Promise<MessageFileWrite | null> {
  const found = await loadWriting(ctx, { personId, conversationId }, clientMessageId);
  if (!found) throw new ConversationNotFound();
  if (found.sentSeq !== null) return null;
  const { box, problem } = decideWriting(found);
  if (problem) throw new CannotWrite(problem);
  if (box !== "inbox") throw new FilesWaitForAcceptance();
  await countAction(
    ctx,
    { act: "message-file", personId, limits: MESSAGE_FILE_LIMITS },
    (freeAt) => new TooManyMessageFiles(freeAt),
  );
  const prepared = await prepareFormFile(ctx, {
    ownerId: personId,
    purpose: "message",
    file,
    alt,
  });
  return { ...prepared, isSensitive, recording };
}
