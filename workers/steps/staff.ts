import { notifyLateContests } from "#app/domain/documents/expiry/commands.server.ts";
import { notifyLateMonths, notifyMissingIssuer } from "#app/domain/fiscal/commands.server.ts";
import { notifyStaleChecks } from "#app/domain/audit/commands.server.ts";
import { moderatorIds } from "#app/domain/moderation/queries.server.ts";
import type { Step } from "#app/domain/retry-backoff/commands/steps.server.ts";

/** Few numbers are ever contested; each is told once. */
const CONTESTS_LIMIT = 20;

/** What whoever moderates is told of other modules, none of which knows who that is. */
export const staffSteps = {
  lateContests: {
    name: "staff.late_contests",
    event: "renewals.contests_failed",
    run: (ctx) =>
      notifyLateContests(ctx, { moderatorIds: () => moderatorIds(ctx), limit: CONTESTS_LIMIT }),
  },
  unwatchedBooks: {
    name: "staff.unwatched_books",
    event: "notifications.books_failed",
    run: (ctx) => notifyStaleChecks(ctx, { moderatorIds: () => moderatorIds(ctx) }),
  },
  lateInvoices: {
    name: "staff.late_invoices",
    event: "notifications.fiscal_failed",
    run: (ctx) => notifyLateMonths(ctx, { moderatorIds: () => moderatorIds(ctx) }),
  },
  missingIssuer: {
    name: "staff.missing_issuer",
    event: "fiscal.telling_failed",
    run: (ctx) => notifyMissingIssuer(ctx, { moderatorIds: () => moderatorIds(ctx) }),
  },
} satisfies Record<string, Step>;
