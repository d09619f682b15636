import { purgeFormerEmails } from "#app/domain/identity/contacts/commands.server.ts";
import type { Step } from "#app/domain/retry-backoff/commands/steps.server.ts";

export const identitySteps = {
  forgetFormerEmails: {
    name: "identity.forget_former_emails",
    event: "renewals.forgetting_failed",
    run: purgeFormerEmails,
  },
  forgetAbandonedRegistrations: {
    name: "identity.forget_abandoned_registrations",
    event: "notifications.registrations_failed",
    run: async (ctx) => await ctx.accounts.abandonedStatement(ctx.realNow()),
  },
} satisfies Record<string, Step>;
