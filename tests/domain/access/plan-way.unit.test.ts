import { expect, test } from "vitest";
import {
  decidePlanWay,
  heldSubscription,
  planWayLabel,
  planWayPath,
} from "#app/domain/access/rules/plan-way.ts";
import { isLive, isPaymentDue } from "#app/domain/subscriptions/rules.ts";
import { subscriptionStatuses } from "#app/domain/subscriptions/schema.ts";

const held = (status: string, planId = "basico", isGiven = false) => ({
  id: "s1",
  planId,
  status,
  isGiven,
});
const PAGE = "/settings/subscriptions/s1";

test.each([
  ["nobody's", null, null, "/checkout?plan=cozinha"],
  ["never paid", held("incomplete"), null, "/checkout?plan=cozinha"],
  ["over", held("expired"), null, "/checkout?plan=cozinha"],
  ["of a cheaper plan", held("active"), null, `${PAGE}/plan/r1`],
  ["on trial of another", held("trialing"), null, `${PAGE}/plan/r1`],
  ["canceled, of another", held("canceled"), "Reativar para mudar", `${PAGE}/reactivation`],
  ["canceled, of this plan", held("canceled", "cozinha"), "Ver minha assinatura", PAGE],
  [
    "given and ending, of another",
    held("canceled", "basico", true),
    null,
    "/checkout?plan=cozinha",
  ],
  ["of this plan", held("active", "cozinha"), "Ver minha assinatura", PAGE],
  ["about to start", held("upcoming"), "Ver minha assinatura", PAGE],
  ["paused", held("paused"), "Voltar agora", `${PAGE}/resumption`],
  ["paused, of this plan", held("paused", "cozinha"), "Voltar agora", `${PAGE}/resumption`],
  ["past due", held("past_due"), "Regularizar", PAGE],
  ["to be confirmed", held("requires_action", "cozinha"), "Regularizar", PAGE],
  ["a gift of another", held("active", "basico", true), null, "/checkout?plan=cozinha"],
])("a subscription that is %s has one way to a plan", (_, subscription, label, path) => {
  const way = decidePlanWay("cozinha", subscription);
  expect(planWayLabel(way)).toBe(label);
  expect(planWayPath(way, { planId: "cozinha", priceId: "r1" })).toBe(path);
});

test("the current subscription counts before the one after it, and one never paid not at all", () => {
  expect(heldSubscription([held("upcoming"), held("active", "camarim")])?.planId).toBe("camarim");
  expect(heldSubscription([held("upcoming"), held("expired")])?.status).toBe("upcoming");
  expect(heldSubscription([held("incomplete"), held("expired")])).toBeNull();
});

test.each(subscriptionStatuses)(
  "a subscription with status %s is live and overdue as the rules of subscriptions say",
  (status) => {
    expect(heldSubscription([held(status)]) !== null).toBe(isLive(status));
    expect(decidePlanWay("cozinha", held(status)).kind === "settle").toBe(isPaymentDue(status));
  },
);
