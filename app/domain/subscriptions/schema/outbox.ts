import type { MessageOf } from "#app/domain/outbox.ts";
import { compMessages } from "./outbox/comps.ts";
import { lifecycleMessages } from "./outbox/lifecycle.ts";
import { pixMandateMessages } from "./outbox/pix-mandates.ts";
import { planChangeMessages } from "./outbox/plan-changes.ts";
import { priceChangeMessages } from "./outbox/price-changes.ts";
import { renewalMessages } from "./outbox/renewals.ts";
import { trialMessages } from "./outbox/trials.ts";
import { vacationMessages } from "./outbox/vacations.ts";

export const subscriptionMessages = {
  ...compMessages,
  ...lifecycleMessages,
  ...pixMandateMessages,
  ...planChangeMessages,
  ...priceChangeMessages,
  ...renewalMessages,
  ...trialMessages,
  ...vacationMessages,
};

export type SubscriptionMessage = MessageOf<typeof subscriptionMessages>;
