import { describe, expect, test } from "vitest";
import { MESSAGES, RENDERERS, renderNotifications } from "#app/notification-registry.ts";

type Declarations = Record<string, Record<string, unknown>>;

const declaredIn = (files: Record<string, Declarations>, suffix: string) =>
  Object.values(files).flatMap((exported) =>
    Object.entries(exported)
      .filter(([name]) => name.endsWith(suffix))
      .flatMap(([, declarations]) => Object.keys(declarations)),
  );

const schemas = import.meta.glob<Declarations>("/app/domain/*/schema/outbox.ts", { eager: true });
const renderers = import.meta.glob<Declarations>("/app/domain/*/rules/notifications.ts", {
  eager: true,
});

describe("the registry of outbox messages", () => {
  test("joins the messages of every module, none of them declared twice", () => {
    expect(declaredIn(schemas, "Messages").toSorted()).toEqual(Object.keys(MESSAGES).toSorted());
  });

  test("joins the renderers of every module, one for each message", () => {
    const declared = declaredIn(renderers, "Notifications").toSorted();
    expect(declared).toEqual(Object.keys(RENDERERS).toSorted());
    expect(declared).toEqual(Object.keys(MESSAGES).toSorted());
  });

  test("refuses a message that no module declares, or that lacks a field", () => {
    expect(() => renderNotifications({ type: "payout.lost" })).toThrow("payout.lost");
    expect(() => renderNotifications({ type: "toString" })).toThrow("toString");
    expect(() => renderNotifications({})).toThrow("undefined");
    expect(() => renderNotifications({ type: "payout.paid", creatorId: "ana" })).toThrow(
      "amountCents",
    );
  });
});

const about = { subscriptionId: "s", fanId: "bia", creatorName: "Ana", planName: "Camarim" };

test.each([
  {
    type: "charge.disputed",
    chargeId: "c",
    disputeId: "d",
    creatorId: "ana",
    amountCents: 1_990,
    description: "Camarim",
  },
  { ...about, type: "subscription.paused", resumesAt: 0, nextChargeAt: 0 },
  {
    ...about,
    type: "subscription.renewal_due",
    chargeId: "c",
    amountCents: 1_990,
    dueAt: 0,
    payUntil: 0,
    pixCode: "000201",
    appOrigin: "",
  },
])("$type as earlier versions stored it is still read", (stored) => {
  expect(JSON.stringify(renderNotifications(stored))).not.toMatch(/undefined|null:|Invalid/);
});
