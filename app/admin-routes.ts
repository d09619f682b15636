import { index, layout, prefix, route } from "@react-router/dev/routes";

/** The staff pages, in the layout that checks the session's permission. */
export const adminRoutes = prefix("admin", [
  layout("routes/admin/layout.tsx", [
    ...prefix("documents", [
      index("routes/admin/documents.tsx"),
      route(":personId", "routes/admin/document.tsx"),
    ]),
    route("documents/:personId/rejection", "routes/admin/document-rejection.tsx"),
    route("documents/:personId/registry", "routes/admin/document-registry.tsx"),
    route("payouts", "routes/admin/payouts.tsx"),
    route("fees", "routes/admin/fees.tsx"),
    ...prefix("fiscal", [
      index("routes/admin/fiscal/months.tsx"),
      route(":month", "routes/admin/fiscal/month.tsx"),
    ]),
    ...prefix("margin", [
      index("routes/admin/margin.tsx"),
      route(":group", "routes/admin/margin-group.tsx"),
    ]),
    ...prefix("payouts/batches", [
      index("routes/admin/payout-batches.tsx"),
      route(":day", "routes/admin/payout-batch.tsx"),
    ]),
    route("payouts/people/:personId", "routes/admin/payout-person.tsx"),
    route("payouts/:id", "routes/admin/payout.tsx"),
    ...prefix("ledger", [
      index("routes/admin/ledger.tsx"),
      ...["check", "providers", "platform", "debts", "unclaimed", "seals"].map((page) =>
        route(page, `routes/admin/ledger-${page}.tsx`),
      ),
      route("platform/refunds", "routes/admin/ledger-platform-refunds.tsx"),
      route("kinds/:kind", "routes/admin/ledger-kind.tsx"),
      ...prefix("accounts", [
        index("routes/admin/ledger-accounts.tsx"),
        route(":accountId", "routes/admin/ledger-account.tsx"),
      ]),
      route("postings/:named", "routes/admin/ledger-posting.tsx"),
    ]),
    ...prefix("reconciliation", [
      index("routes/admin/reconciliation.tsx"),
      route("nights/:runId", "routes/admin/reconciliation-run.tsx"),
      route(":id", "routes/admin/reconciliation-difference.tsx"),
    ]),
    ...prefix("reconciliation/deliveries", [
      index("routes/admin/deliveries.tsx"),
      ...prefix(":id", [
        index("routes/admin/delivery.tsx"),
        route("retry", "routes/admin/delivery-retry.tsx"),
      ]),
    ]),
    route("reconciliation/:id/ask", "routes/admin/reconciliation-reexamine.tsx"),
    ...prefix("disputes", [
      index("routes/admin/disputes.tsx"),
      route("regrets", "routes/admin/cooling-off-refunds.tsx"),
      route("regrets/:personId", "routes/admin/cooling-off-person.tsx"),
      route(":id/sending", "routes/admin/dispute-sending.tsx"),
    ]),
  ]),
]);
