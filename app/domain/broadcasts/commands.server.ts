import { and, eq, inArray, sql } from "drizzle-orm";
import { commit, guardStatement, mustChangeOne } from "#app/db/client.server.ts";
import { StaleWrite } from "#app/db/errors.ts";
import {
  BroadcastEnded,
  BroadcastNotFound,
  BroadcastStarted,
  BroadcastTooSoon,
  NoRecipients,
  SendTimePast,
  SendTimeTooFar,
  TooManyDrafts,
  UnknownPlan,
} from "./errors.ts";
import { broadcastOf, broadcastsNear, latestBroadcastNear } from "./queries.server.ts";
import { countRecipients } from "#app/domain/broadcasts/queries/recipients.server.ts";
import {
  BROADCAST_INTERVAL_MS,
  BROADCAST_LIMITS,
  isCancelableState,
  isEditableState,
  sendTimeProblem,
} from "./rules.ts";
import type { BroadcastState } from "./rules.ts";
import type { Broadcast } from "./schema.ts";
import type { Context } from "#app/domain/context.ts";
import { discardUnsavedFile } from "#app/domain/media/commands/form-file.server.ts";
import { filesWrite } from "#app/domain/messages/commands/files.server.ts";
import type { OutgoingFiles } from "#app/domain/messages/commands/files.server.ts";
import {
  messageFilesStatements,
  removeFilesStatement,
} from "#app/domain/messages/commands/statements.server.ts";
import type { MessageFilesWrite } from "#app/domain/messages/commands/statements.server.ts";
import { plansOfCreator } from "#app/domain/plans/queries.server.ts";
import { rateLimitStatements } from "#app/domain/rate-limits/commands.server.ts";
import { rateLimitResetAt } from "#app/domain/rate-limits/queries.server.ts";
import type { Instant } from "#app/domain/time.ts";
import { broadcasts } from "#drizzle/schema/broadcasts.ts";

type BroadcastDraft = Pick<
  Broadcast,
  "creatorId" | "writtenById" | "segment" | "planIds" | "text"
> & {
  /** Without it, the broadcast has no files. */
  files?: BroadcastFiles | undefined;
};
/** Files that stay come first, then new ones. */
type BroadcastFiles = Omit<OutgoingFiles, "recording"> & { savedIds: string[] };
type OwnBroadcast = { id: string; creatorId: string };

/**
 * Saves a new broadcast as a draft, and returns its id. Sends nothing. Its files are stored once,
 * however many get them. Refuses UnknownPlan, TooManyDrafts (30 an hour) and what `filesWrite`
 * refuses.
 */
export async function createBroadcast(ctx: Context, draft: BroadcastDraft): Promise<string> {
  await refuseUnknownPlans(ctx, draft);
  const id = ctx.newId();
  const files = await draftFiles(ctx, draft);
  const counted = { act: "broadcast", personId: draft.creatorId, limits: BROADCAST_LIMITS };
  try {
    await commit(ctx.db, [
      ...rateLimitStatements(ctx, counted),
      ctx.db.insert(broadcasts).values({
        id,
        creatorId: draft.creatorId,
        ...contentOf(draft),
        state: "draft" satisfies BroadcastState,
        createdAt: ctx.now(),
      }),
      ...filesStatements(ctx, id, files),
    ]);
  } catch (error) {
    await discardFiles(ctx, files);
    if (!(error instanceof StaleWrite)) throw error;
    throw new TooManyDrafts(await rateLimitResetAt(ctx, counted));
  }
  return id;
}

/**
 * Changes a broadcast that has not started; a scheduled one stays scheduled. Refuses UnknownPlan,
 * BroadcastNotFound, BroadcastStarted and what `filesWrite` refuses.
 */
export async function changeBroadcast(
  ctx: Context,
  { id, ...draft }: BroadcastDraft & { id: string },
): Promise<void> {
  await refuseUnknownPlans(ctx, draft);
  const own = { id, creatorId: draft.creatorId };
  const found = await broadcastOf(ctx, own);
  if (!found) throw new BroadcastNotFound();
  const files = await draftFiles(ctx, draft);
  const saved = found.files
    .map((file) => file.id)
    .filter((mediaId) => draft.files?.savedIds.includes(mediaId));
  try {
    await commit(ctx.db, [
      mustChangeOne(
        ctx.db
          .update(broadcasts)
          .set(contentOf(draft))
          .where(isOwnIn(own, ["draft", "scheduled"])),
      ),
      ...replacedFilesStatements(ctx, id, { ...files, mediaIds: [...saved, ...files.mediaIds] }),
    ]);
  } catch (error) {
    if (!(error instanceof StaleWrite)) throw error;
    await discardFiles(ctx, files);
    throw await startedOrNone(ctx, own);
  }
}

/** Stores the new files of a draft, and reads those that were uploaded before. */
const draftFiles = (ctx: Context, { creatorId, files }: BroadcastDraft) =>
  filesWrite(ctx, {
    uploaded: [],
    files: [],
    isSensitive: false,
    priceCents: null,
    ...files,
    recording: null,
    personId: creatorId,
  });

const filesStatements = (ctx: Context, id: string, { writes, mediaIds }: NewFiles) => [
  ...writes,
  ...messageFilesStatements(ctx, { filesId: id, mediaIds }),
];
type NewFiles = Pick<MessageFilesWrite, "writes" | "mediaIds">;

const replacedFilesStatements = (ctx: Context, id: string, files: NewFiles) => [
  removeFilesStatement(ctx, { filesId: id }),
  ...filesStatements(ctx, id, files),
];

async function discardFiles(ctx: Context, { unsavedIds }: MessageFilesWrite): Promise<void> {
  for (const mediaId of unsavedIds) await discardUnsavedFile(ctx, { mediaId });
}

const contentOf = ({ writtenById, text, segment, planIds, files }: BroadcastDraft) => ({
  isSensitive: files?.isSensitive ?? false,
  priceCents: files?.priceCents ?? null,
  writtenById,
  body: text,
  segment,
  planIds: segment === "plans" ? planIds : [],
});

async function refuseUnknownPlans(
  ctx: Context,
  { creatorId, segment, planIds }: BroadcastDraft,
): Promise<void> {
  if (segment !== "plans") return;
  const plans = await plansOfCreator(ctx, { creatorId, states: ["active", "archived"] });
  if (planIds.some((id) => !plans.some((plan) => plan.id === id))) throw new UnknownPlan();
}

/**
 * Sends a draft at `sendAt`, or at once with null. Another call moves a scheduled one. A creator's
 * broadcasts are at least a day apart, which the write itself checks, so that two at once are
 * counted too. Refuses NoRecipients, SendTimePast, SendTimeTooFar (90 days), BroadcastTooSoon,
 * BroadcastStarted and BroadcastNotFound.
 */
export async function scheduleBroadcast(
  ctx: Context,
  { sendAt, ...own }: OwnBroadcast & { sendAt: Instant | null },
): Promise<void> {
  const found = await broadcastOf(ctx, own);
  if (!found) throw new BroadcastNotFound();
  if (!isEditableState(found.state)) throw new BroadcastStarted();
  const now = ctx.now();
  const problem = sendAt === null ? null : sendTimeProblem(sendAt, now);
  if (problem === "past") throw new SendTimePast(now);
  if (problem === "far") throw new SendTimeTooFar();
  if (sendAt === null && (await countRecipients(ctx, found)) === 0) throw new NoRecipients();
  const at = Math.max(sendAt ?? now, now);
  try {
    await commit(ctx.db, [
      guardStatement(ctx.db, sql`NOT EXISTS (${broadcastsNear({ ...own, at })})`),
      mustChangeOne(
        ctx.db
          .update(broadcasts)
          .set({ state: "scheduled" satisfies BroadcastState, sendAt: at })
          .where(isOwnIn(own, ["draft", "scheduled"])),
      ),
    ]);
  } catch (error) {
    if (!(error instanceof StaleWrite)) throw error;
    const otherAt = await latestBroadcastNear(ctx, { ...own, at });
    if (otherAt === null) throw await startedOrNone(ctx, own);
    throw new BroadcastTooSoon({ otherAt, freeAt: otherAt + BROADCAST_INTERVAL_MS });
  }
  if (at <= now) await ctx.queues.fanOut.send({ version: 1, type: "broadcast.send", id: own.id });
}

/**
 * Cancels a broadcast. A running one stops before its next page; what was delivered stays. Safe to
 * repeat. Refuses BroadcastNotFound and BroadcastEnded.
 */
export async function cancelBroadcast(ctx: Context, own: OwnBroadcast): Promise<void> {
  const canceled = await ctx.db
    .update(broadcasts)
    .set({ state: "canceled" satisfies BroadcastState, endedAt: ctx.now() })
    .where(isOwnIn(own, ["draft", "scheduled", "sending"]))
    .returning({ id: broadcasts.id });
  if (canceled.length > 0) return;
  const found = await broadcastOf(ctx, own);
  if (!found) throw new BroadcastNotFound();
  if (found.state !== "canceled" && !isCancelableState(found.state)) throw new BroadcastEnded();
}

const isOwnIn = ({ id, creatorId }: OwnBroadcast, states: BroadcastState[]) =>
  and(
    eq(broadcasts.id, id),
    eq(broadcasts.creatorId, creatorId),
    inArray(broadcasts.state, states),
  );

async function startedOrNone(ctx: Context, own: OwnBroadcast): Promise<Error> {
  return (await broadcastOf(ctx, own)) ? new BroadcastStarted() : new BroadcastNotFound();
}
