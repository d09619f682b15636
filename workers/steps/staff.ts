import { notifyLateContests } from "#app/domain/documents/expiry/commands.server.ts";
import { notifyLateMonths, notifyMissingIssuer } from "#app/domain/fiscal/commands.server.ts";
import { notifyStaleChecks } from "#app/domain/audit/commands.server.ts";
import { moderatorIds } from "#app/domain/moderation/queries.server.ts";
import type { Step } from "#app/domain/retry-backoff/commands/steps.server.ts";

/** Contests of tax ids are few; each is notified once. */
const CONTESTS_LIMIT = 20;

/** Notifications to staff on behalf of modules that do not know who the staff are. */
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
