import { describe, expect, test } from "vitest";
import { notificationsFor } from "#tests/support/notifications.ts";
import type { OutboxMessage } from "#app/notification-registry.ts";

const about = { subscriptionId: "s", fanId: "bia", creatorName: "Ana", planName: "Camarim" };
const sold = { ...about, fanName: "Bia", creatorId: "ana", amountCents: 1_990 };

describe.each([
  [
    "a subscription",
    (welcomeMessage: string): OutboxMessage => ({
      type: "subscription.started",
      ...sold,
      chargeId: "c",
      creatorUsername: "ana",
      welcomeMessage,
    }),
  ],
  [
    "a trial",
    (welcomeMessage: string): OutboxMessage => ({
      type: "trial.started",
      ...sold,
      days: 7,
      endsAt: 0,
      intervalWords: "por mês",
      isByCard: false,
      isByPix: true,
      appOrigin: "",
      welcomeMessage,
    }),
  ],
  [
    "an upcoming one that was paid before",
    (welcomeMessage: string): OutboxMessage => ({
      type: "subscription.begun",
      ...about,
      creatorUsername: "ana",
      nextChargeAt: 0,
      welcomeMessage,
    }),
  ],
])("when a subscription starts as %s", (_, message) => {
  const toFan = (welcomeMessage: string) =>
    notificationsFor(message(welcomeMessage)).find(({ personId }) => personId === "bia");

  test("the creator's welcome message is in the notification and in the email", () => {
    const notification = toFan("Que bom!");
    expect(notification?.body).toMatch(/\. Ana escreveu para você: Que bom!$/);
    expect(notification?.mail?.body).toContain("\n\nAna escreveu para você: Que bom!\n\n");
  });

  test("without a welcome message none is mentioned, and creators get no welcome", () => {
    const notification = toFan("");
    expect(`${notification?.body} ${notification?.mail?.body}`).not.toContain("escreveu");
    expect(
      notificationsFor(message("Que bom!")).filter(
        ({ personId, body }) => personId === "ana" && body.includes("Que bom!"),
      ),
    ).toEqual([]);
  });
});

test("a subscription paid before its start sends the welcome when it starts", () => {
  const [notification] = notificationsFor({
    type: "subscription.started",
    ...sold,
    chargeId: "c",
    creatorUsername: "ana",
    welcomeMessage: "Que bom!",
    beginsAt: 0,
  });
  expect(`${notification?.body} ${notification?.mail?.body}`).not.toContain("Que bom!");
});
