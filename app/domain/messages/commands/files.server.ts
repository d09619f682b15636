import type { Context } from "#app/domain/context.ts";
import { prepareFormFile } from "#app/domain/media/commands/form-file.server.ts";
import type { MessageFileWrite } from "#app/domain/messages/commands/statements.server.ts";
import {
  CannotSellFile,
  CannotWrite,
  ConversationNotFound,
  FilesWaitForAcceptance,
  TooManyMessageFiles,
} from "#app/domain/messages/errors.ts";
import { canSellFiles } from "#app/domain/messages/queries/sales.server.ts";
import { loadWriting } from "#app/domain/messages/queries/writing.server.ts";
import { MESSAGE_FILE_LIMITS } from "#app/domain/messages/rules.ts";
import type { Recording } from "#app/domain/messages/rules/recording.ts";
import { decideWriting } from "#app/domain/messages/rules/writing.ts";
import type { Cents } from "#app/domain/money.ts";
import { countAction } from "#app/domain/rate-limits/commands.server.ts";

type OutgoingFile = {
  conversationId: string;
  personId: string;
  clientMessageId: string;
  file: File;
  alt: string;
  isSensitive: boolean;
  recording: Recording | null;
  /** What it costs the recipient (centavos); null for a file that is not sold. */
  priceCents: Cents | null;
};

/**
 * Stores the bytes of a message's file, for `sendMessage`. Null if the message was sent already. It
 * stores nothing for who may not write or, with a price, not sell, and counts each try: 50 a day.
 * Refuses ConversationNotFound, CannotWrite, FilesWaitForAcceptance, CannotSellFile,
 * TooManyMessageFiles and what `prepareFormFile` refuses.
 */
export async function prepareMessageFile(
  ctx: Context,
  {
    conversationId,
    personId,
    clientMessageId,
    file,
    alt,
    isSensitive,
    recording,
    priceCents,
  }: OutgoingFile,
): Promise<MessageFileWrite | null> {
  const found = await loadWriting(ctx, { personId, conversationId }, clientMessageId);
  if (!found) throw new ConversationNotFound();
  if (found.sentSeq !== null) return null;
  const { box, problem } = decideWriting(found);
  if (problem) throw new CannotWrite(problem);
  if (box !== "inbox") throw new FilesWaitForAcceptance();
  if (priceCents !== null && !(await canSellFiles(ctx, { personId }))) throw new CannotSellFile();
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
  return { ...prepared, isSensitive, recording, priceCents };
}
