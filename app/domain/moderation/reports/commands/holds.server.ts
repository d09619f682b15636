import type { BatchWrite } from "#app/db/client.server.ts";
import {
  holdCommentStatement,
  releaseCommentStatement,
} from "#app/domain/comments/commands/holds.server.ts";
import type { Context } from "#app/domain/context.ts";
import {
  holdEventStatement,
  releaseEventStatement,
} from "#app/domain/events/seats/commands/holds.server.ts";
import type { SubjectKind } from "#app/domain/moderation/reports/schema.ts";
import { holdPostStatement, releasePostStatement } from "#app/domain/posts/commands.server.ts";

type SubjectHold = {
  /** Hides the subject. Stale when it is hidden already, or gone. */
  hold(ctx: Context, id: string): BatchWrite;
  /** Undoes it. Matches nothing when nothing is held. */
  release(ctx: Context, id: string): BatchWrite;
};

/** How the content of each kind is hidden by a decision; null where it cannot be. */
export const SUBJECT_HOLDS: Record<SubjectKind, SubjectHold | null> = {
  post: {
    hold: (ctx, postId) => holdPostStatement(ctx, { postId }),
    release: (ctx, postId) => releasePostStatement(ctx, { postId }),
  },
  comment: {
    hold: (ctx, commentId) => holdCommentStatement(ctx, { commentId }),
    release: (ctx, commentId) => releaseCommentStatement(ctx, { commentId }),
  },
  event: {
    hold: (ctx, eventId) => holdEventStatement(ctx, { eventId }),
    release: (ctx, eventId) => releaseEventStatement(ctx, { eventId }),
  },
  profile: null,
  message: null,
};
