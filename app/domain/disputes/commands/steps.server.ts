import { remindOfDispute, sendDisputeAnswer } from "./answer.server.ts";
import { dueAnswers, dueDisputeReminders } from "#app/domain/disputes/queries.server.ts";
import { stepPerRow } from "#app/domain/retry-backoff/commands/steps.server.ts";
import type { Step } from "#app/domain/retry-backoff/commands/steps.server.ts";

const ANSWERS_PER_RUN = 20;
const REMINDERS_PER_RUN = 100;

/** Sends unconfirmed answers again, and reminds sellers of disputes without an answer. */
export const disputeSteps = {
  sendAnswers: stepPerRow({
    name: "disputes.send_answers",
    event: "payouts.answer_unclear",
    due: (ctx) => dueAnswers(ctx, { limit: ANSWERS_PER_RUN }),
    each: (ctx, disputeId) => sendDisputeAnswer(ctx, { disputeId }),
  }),
  remind: stepPerRow({
    name: "disputes.remind",
    event: "payouts.reminder_failed",
    kind: "dispute_reminder",
    due: (ctx) => dueDisputeReminders(ctx, { limit: REMINDERS_PER_RUN }),
    each: (ctx, disputeId) => remindOfDispute(ctx, { disputeId }),
  }),
} satisfies Record<string, Step>;
