import { index, layout, prefix, route } from "@react-router/dev/routes";
import type { RouteConfig } from "@react-router/dev/routes";

export default [
  // Rendered once for everyone, without framework JavaScript and without anybody's data.
  layout("routes/public/layout.tsx", [
    route("space/:username/public", "routes/public/space.tsx"),
    ...prefix("terms", [
      layout("routes/public/terms/layout.tsx", [
        index("routes/public/terms/use.tsx"),
        route("cookies", "routes/public/terms/cookies.tsx"),
        route("creators", "routes/public/terms/creators.tsx"),
        route("privacy", "routes/public/terms/privacy.tsx"),
      ]),
    ]),
    route("*", "routes/public/not-found.tsx"),
  ]),

  layout("routes/auth/layout.tsx", [
    route("auth/login", "routes/auth/login.tsx"),
    route("auth/register", "routes/auth/register.tsx"),
    route("auth/logout", "routes/auth/logout.tsx"),
    route("auth/second-factor", "routes/auth/second-factor.tsx"),
    route("auth/passkey", "routes/auth/passkey.tsx"),
    route("auth/reset", "routes/auth/reset.tsx"),
    route("auth/reset/code", "routes/auth/reset-code.tsx"),
    route("auth/reset/:token", "routes/auth/reset-link.tsx"),
    route("auth/verify/:token", "routes/auth/verify-link.tsx"),
  ]),

  // Who is not signed in is sent to /auth/login and back.
  layout("routes/member-layout.tsx", [
    index("routes/home/feed.tsx"),
    route("auth/account", "routes/auth/account.tsx"),
    route("auth/account/email", "routes/auth/account/email.tsx"),
    route("auth/account/password", "routes/auth/account/password.tsx"),
    route("auth/account/sessions/:sessionId/end", "routes/auth/account/session-end.tsx"),
    route("auth/confirm", "routes/auth/account/confirm.tsx"),
    route("auth/verify", "routes/auth/account/verify.tsx"),
    route("auth/verify/send", "routes/auth/account/verify-send.tsx"),
    route("auth/account/second-factor", "routes/auth/account/second-factor.tsx"),
    route("auth/account/second-factor/activation", "routes/auth/account/second-factor-activation.tsx"),
    route("auth/account/second-factor/backup-codes", "routes/auth/account/second-factor-backup-codes.tsx"),
    route("auth/account/second-factor/deactivation", "routes/auth/account/second-factor-deactivation.tsx"),
    route("auth/account/passkeys", "routes/auth/account/passkeys.tsx"),
    route("auth/account/passkeys/options", "routes/auth/account/passkey-options.ts"),
    route("auth/account/passkeys/:passkeyId/removal", "routes/auth/account/passkey-removal.tsx"),
    route("auth/account/keys", "routes/auth/account/keys.tsx"),
    route("auth/account/keys/create", "routes/auth/account/key-create.tsx"),
    route("auth/account/keys/:keyId/revocation", "routes/auth/account/key-revocation.tsx"),
    route("me", "routes/space/me.tsx"),
    route("explore", "routes/home/explore.tsx"),
    route("notifications", "routes/home/notifications.tsx"),
    route("messages", "routes/home/messages.tsx"),
    route("events", "routes/home/events.tsx"),

    route("space/create", "routes/studio/space-create.tsx"),
    route("space/:id", "routes/space/space.tsx"),
    route("space/:id/follow", "routes/space/follow.tsx"),
    route("collection/:id", "routes/space/collection.tsx"),
    route("post/:id", "routes/space/post.tsx"),
    route("post/:id/like", "routes/space/post-like.tsx"),
    route("post/:id/comments", "routes/space/post-comments.tsx"),

    route("post/create", "routes/studio/post-create.tsx"),
    route("plan/create", "routes/studio/plan-create.tsx"),
    route("plan/:planId/update", "routes/studio/plan-update.tsx"),
    route("plan/:planId/activation", "routes/studio/plan-activation.tsx"),
    route("plan/:planId/archive", "routes/studio/plan-archive.tsx"),
    route("analytics", "routes/studio/analytics.tsx"),

    route("checkout", "routes/checkout/checkout.tsx"),
    route("checkout/:chargeId", "routes/checkout/charge.tsx"),

    ...prefix("settings", [
      layout("routes/settings/layout.tsx", [
        index("routes/settings/index.tsx"),
        route("profile", "routes/settings/profile.tsx"),
        route("billing", "routes/settings/billing.tsx"),
        route("billing/details", "routes/settings/billing-details.tsx"),
        route("transactions", "routes/settings/transactions.tsx"),
        route("transactions/:id", "routes/settings/transaction.tsx"),
        route("withdrawal-method", "routes/settings/withdrawal-method.tsx"),
        route("transfers", "routes/settings/transfers.tsx"),
        route("subscriptions", "routes/settings/subscriptions.tsx"),
        route("subscriptions/:id", "routes/settings/subscription.tsx"),
        route("subscriptions/:id/cancellation", "routes/settings/subscription-cancellation.tsx"),
        route("subscriptions/:id/payment-method", "routes/settings/subscription-payment-method.tsx"),
        route("policies", "routes/settings/policies.tsx"),
        route("check-documents", "routes/settings/check-documents.tsx"),
        route("connections", "routes/settings/connections.tsx"),
      ]),
    ]),

    ...prefix("admin", [
      layout("routes/admin/layout.tsx", [
        route("documents", "routes/admin/documents.tsx"),
        route("documents/:personId", "routes/admin/document.tsx"),
        route("documents/:personId/rejection", "routes/admin/document-rejection.tsx"),
        route("ledger", "routes/admin/ledger.tsx"),
      ]),
    ]),
  ]),

  route("auth/passkey/options", "routes/auth/passkey-options.ts"),
  route("checkout/:chargeId/status", "routes/resources/charge-status.ts"),
  route("media/:id/:variant", "routes/resources/media.ts"),
  route("resources/theme", "routes/resources/theme.tsx"),
  route("resources/notification-count", "routes/resources/notification-count.ts"),
  route("healthz", "routes/resources/healthz.ts"),

  ...prefix("api/v1", [
    route("openapi.json", "routes/api/openapi.ts"),
    route("auth/token", "routes/api/auth-token.ts"),
    route("auth/is-registered", "routes/api/is-registered.ts"),
    route("auth/register", "routes/api/register.ts"),
    route("users/me", "routes/api/users-me.ts"),
    route("users/:username/profile", "routes/api/user-profile.ts"),
    route("posts", "routes/api/posts.ts"),
    route("posts/:id", "routes/api/post.ts"),
    route("*", "routes/api/not-found.ts"),
  ]),
] satisfies RouteConfig;
