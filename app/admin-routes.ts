import { index, layout, prefix, route } from "@react-router/dev/routes";

/** The staff pages, in the layout that checks the session's permission. */
export const adminRoutes = prefix("admin", [
  layout("routes/admin/layout.tsx", [
    index("routes/admin/home.tsx"),
    ...prefix("reports", [
      index("routes/admin/reports/reports.tsx"),
      route(":id", "routes/admin/reports/report-case.tsx"),
      route(":id/claim", "routes/admin/reports/claim.tsx"),
      route(":id/release", "routes/admin/reports/release.tsx"),
      route(":id/appeal", "routes/admin/reports/case-appeal.tsx"),
    ]),
    ...prefix("documents", [
      index("routes/admin/documents/documents.tsx"),
      route(":personId", "routes/admin/documents/document.tsx"),
    ]),
    route("documents/:personId/rejection", "routes/admin/documents/document-rejection.tsx"),
    route("documents/:personId/registry", "routes/admin/documents/document-registry.tsx"),
    route("payouts", "routes/admin/payouts/payouts.tsx"),
    route("metrics", "routes/admin/metrics/metrics.tsx"),
    route("metrics/volume.csv", "routes/admin/metrics/metrics-csv.ts"),
    route("fees", "routes/admin/ledger/fees.tsx"),
    ...prefix("fiscal", [
      index("routes/admin/fiscal/months.tsx"),
      route(":month", "routes/admin/fiscal/month.tsx"),
    ]),
    ...prefix("margin", [
      index("routes/admin/ledger/margin.tsx"),
      route(":group", "routes/admin/ledger/margin-group.tsx"),
    ]),
    ...prefix("payouts/batches", [
      index("routes/admin/payouts/payout-batches.tsx"),
      route(":day", "routes/admin/payouts/payout-batch.tsx"),
    ]),
    route("payouts/people/:personId", "routes/admin/payouts/payout-person.tsx"),
    route("payouts/:id", "routes/admin/payouts/payout.tsx"),
    ...prefix("ledger", [
      index("routes/admin/ledger/ledger.tsx"),
      ...["check", "providers", "platform", "debts", "unclaimed", "seals"].map((page) =>
        route(page, `routes/admin/ledger/ledger-${page}.tsx`),
      ),
      route("platform/refunds", "routes/admin/ledger/ledger-platform-refunds.tsx"),
      route("kinds/:kind", "routes/admin/ledger/ledger-kind.tsx"),
      ...prefix("accounts", [
        index("routes/admin/ledger/ledger-accounts.tsx"),
        route(":accountId", "routes/admin/ledger/ledger-account.tsx"),
      ]),
      route("postings/:named", "routes/admin/ledger/ledger-posting.tsx"),
    ]),
    ...prefix("reconciliation", [
      index("routes/admin/reconciliation/reconciliation.tsx"),
      route("nights/:runId", "routes/admin/reconciliation/reconciliation-run.tsx"),
      route(":id", "routes/admin/reconciliation/reconciliation-difference.tsx"),
    ]),
    ...prefix("reconciliation/deliveries", [
      index("routes/admin/deliveries/deliveries.tsx"),
      ...prefix(":id", [
        index("routes/admin/deliveries/delivery.tsx"),
        route("retry", "routes/admin/deliveries/delivery-retry.tsx"),
      ]),
    ]),
    route("reconciliation/:id/ask", "routes/admin/reconciliation/reconciliation-reexamine.tsx"),
    ...prefix("notifications", [
      index("routes/admin/notifications/failures.tsx"),
      route("retry", "routes/admin/notifications/failure-retry.ts"),
    ]),
    ...prefix("news", [
      index("routes/admin/news/news.tsx"),
      route(":id", "routes/admin/news/news-item.tsx"),
      route("terms", "routes/admin/news/terms-announcement.tsx"),
      route(":id/discard", "routes/admin/news/news-discard.tsx"),
    ]),
    ...prefix("disputes", [
      index("routes/admin/disputes.tsx"),
      route("regrets", "routes/admin/cooling-off-refunds.tsx"),
      route("regrets/:personId", "routes/admin/cooling-off-person.tsx"),
      route(":id/sending", "routes/admin/dispute-sending.tsx"),
    ]),
  ]),
]);
