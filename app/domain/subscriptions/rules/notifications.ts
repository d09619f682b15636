import type { NotificationRenderers } from "#app/domain/outbox.ts";
import type { SubscriptionMessage } from "#app/domain/subscriptions/schema/outbox.ts";
import { compNotifications } from "./notifications/comps.ts";
import { lifecycleNotifications } from "./notifications/lifecycle.ts";
import { pixMandateNotifications } from "./notifications/pix-mandates.ts";
import { planChangeNotifications } from "./notifications/plan-changes.ts";
import { priceChangeNotifications } from "./notifications/price-changes.ts";
import { renewalNotifications } from "./notifications/renewals.ts";
import { trialNotifications } from "./notifications/trials.ts";
import { vacationNotifications } from "./notifications/vacations.ts";

/** All notifications about subscriptions. */
export const subscriptionNotifications: NotificationRenderers<SubscriptionMessage> = {
  ...compNotifications,
  ...lifecycleNotifications,
  ...pixMandateNotifications,
  ...planChangeNotifications,
  ...priceChangeNotifications,
  ...renewalNotifications,
  ...trialNotifications,
  ...vacationNotifications,
};
