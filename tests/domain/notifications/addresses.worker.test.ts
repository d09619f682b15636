import { and, eq, like } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { commit } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import {
  recordMailEvent,
  resumeAddress,
} from "#app/domain/notifications/commands/addresses.server.ts";
import { chooseNotifications } from "#app/domain/notifications/commands/choices.server.ts";
import { sendDigest } from "#app/domain/notifications/commands/digests.server.ts";
import { stoppedAddressOf } from "#app/domain/notifications/queries/addresses.server.ts";
import type { MailEvent } from "#app/domain/notifications/rules/addresses.ts";
import { announce } from "#app/domain/outbox.server.ts";
import { DAY_MS, HOUR_MS } from "#app/domain/time.ts";
import type { OutboxMessage } from "#app/notification-registry.ts";
import { localMails } from "#drizzle/schema/mail.ts";
import { runMessage, testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { createPerson } from "#tests/support/people.ts";
import type { TestPerson } from "#tests/support/people.ts";
import { testEnv } from "#tests/support/worker-env.ts";
import { mailServiceEvent, mailServiceMessage } from "#app/integrations/mail/service-events.ts";
import { sweepOutbox } from "#app/domain/notifications/commands/steps.server.ts";
import { notifications } from "#drizzle/schema/notifications.ts";
import { exampleMessage } from "#workers/sandbox-psp/gallery/examples.ts";
import { PspRefusal } from "#workers/sandbox-psp/refusal.ts";
import { reportMail } from "#workers/sandbox-psp/mail-events.ts";
import { openPsp } from "#workers/sandbox-psp/psp.ts";

let world: World;
let ctx: Context;
let ana: TestPerson;
let round = 0;
beforeEach(async () => {
  world = await testContext();
  ctx = world.ctx;
  ana = await createPerson(ctx, "Ana");
});

const event = (type: MailEvent["type"], more: Partial<MailEvent> = {}): MailEvent => ({
  type,
  address: ana.email.toUpperCase(),
  isPermanent: true,
  occurredAt: ctx.realNow(),
  ...more,
});
async function announced(message: OutboxMessage): Promise<number> {
  const id = `told-${(round += 1)}`;
  await commit(ctx.db, [announce<OutboxMessage>(ctx, id, message)]);
  await runMessage(ctx, { version: 1, type: "outbox.deliver", id });
  return await ctx.db.$count(localMails, like(localMails.sourceKey, `${id}:%`));
}
/** Returns how many emails leave: about a payment, and an invitation. */
const mailsNow = async () => [
  await announced({
    type: "debt.paid",
    creatorId: ana.id,
    chargeId: "c",
    amountCents: 1_990,
    leftCents: 0,
  }),
  await announced({
    ...exampleMessage("team.invited"),
    personId: ana.id,
    email: ana.email,
  } as OutboxMessage),
];

describe("after a report", () => {
  test("of a complaint, what must come still comes and nothing else", async () => {
    expect(await mailsNow()).toEqual([1, 1]);
    await recordMailEvent(ctx, event("complained"));
    expect(await mailsNow()).toEqual([1, 0]);
  });

  test("of a permanent bounce nothing is sent, until the person undoes it", async () => {
    await recordMailEvent(ctx, event("bounced"));
    await recordMailEvent(ctx, event("complained"));
    expect(await mailsNow()).toEqual([0, 0]);
    expect(await stoppedAddressOf(ctx, { personId: ana.id })).toMatchObject({ reason: "bounced" });
    await resumeAddress(ctx, { personId: ana.id, reason: "bounced" });
    // The other reason was never shown: it stays.
    expect(await stoppedAddressOf(ctx, { personId: ana.id })).toMatchObject({
      reason: "complained",
    });
    expect(await mailsNow()).toEqual([1, 0]);
    await resumeAddress(ctx, { personId: ana.id, reason: "complained" });
    expect(await stoppedAddressOf(ctx, { personId: ana.id })).toBe(null);
    expect(await mailsNow()).toEqual([1, 1]);
  });

  test("of a temporary bounce nothing changes", async () => {
    await recordMailEvent(ctx, event("bounced", { isPermanent: false }));
    expect(await mailsNow()).toEqual([1, 1]);
  });

  test("that is older than the undoing nothing changes; a later one stops again", async () => {
    await resumeAddress(ctx, { personId: ana.id, reason: "bounced" });
    await recordMailEvent(ctx, event("bounced"));
    await resumeAddress(ctx, { personId: ana.id, reason: "bounced" });
    await recordMailEvent(ctx, event("bounced", { occurredAt: ctx.realNow() - HOUR_MS }));
    expect(await stoppedAddressOf(ctx, { personId: ana.id })).toBe(null);
    await recordMailEvent(ctx, event("complained", { occurredAt: ctx.realNow() + HOUR_MS }));
    expect(await stoppedAddressOf(ctx, { personId: ana.id })).toMatchObject({
      reason: "complained",
    });
  });

  test("no digest is sent", async () => {
    await chooseNotifications(ctx, { personId: ana.id, on: [], shown: [], digest: "daily" });
    await mailsNow();
    await recordMailEvent(ctx, event("complained"));
    await sendDigest({ ...ctx, now: () => ctx.now() + 2 * DAY_MS }, { personId: ana.id });
    expect(await ctx.db.$count(localMails, like(localMails.sourceKey, `digest:${ana.id}:%`))).toBe(
      0,
    );
  });
});

describe("the email service's queue", () => {
  const message = (more: Partial<MailEvent> = {}) =>
    mailServiceMessage({ id: "e1", ...event("bounced"), ...more });
  const reported = async (body: object) => {
    const parsed = mailServiceEvent.safeParse(body);
    if (parsed.success) await recordMailEvent(ctx, parsed.data.event);
    return parsed.success;
  };
  const isStopped = async () => (await stoppedAddressOf(ctx, { personId: ana.id })) !== null;

  test("stops the address, and tells its owner once however often it comes", async () => {
    for (let round = 0; round < 2; round += 1) expect(await reported(message())).toBe(true);
    expect(await isStopped()).toBe(true);
    await sweepOutbox({ ...ctx, realNow: () => ctx.realNow() + HOUR_MS });
    const told = await ctx.db
      .select({ body: notifications.body })
      .from(notifications)
      .where(and(eq(notifications.personId, ana.id), eq(notifications.kind, "address.stopped")));
    expect(told).toHaveLength(1);
    expect(told[0]?.body).toContain("paramos de enviar avisos");
  });

  test.each([
    ["a soft bounce", { payload: { recipient: "", eventId: "e", bounce: { type: "soft" } } }],
    [
      "an unknown kind of bounce",
      { payload: { recipient: "", eventId: "e", bounce: { type: "?" } } },
    ],
  ])("changes nothing for %s", async (_, more) => {
    const body = { ...message(), ...more, payload: { ...more.payload, recipient: ana.email } };
    expect(await reported(body)).toBe(true);
    expect(await isStopped()).toBe(false);
  });

  test.each([
    ["another type", { type: "cf.email.sending.message.delivered" }],
    ["no recipient", { payload: { eventId: "e", bounce: { type: "hard" } } }],
    ["no time", { metadata: {} }],
  ])("takes no message with %s", async (_, more) => {
    expect(await reported({ ...message(), ...more })).toBe(false);
  });

  test("gets what the buttons of the local inbox say", async () => {
    await mailsNow();
    const [mail] = await ctx.db
      .select()
      .from(localMails)
      .where(like(localMails.recipient, ana.email));
    const bodies: object[] = [];
    const psp = await openPsp(
      {
        ...world.env,
        SANDBOX_API_KEY: "",
        SANDBOX_WEBHOOK_SECRET: "",
        SANDBOX_PUBLIC_URL: "",
        APP_ORIGIN: testEnv.APP_ORIGIN ?? "",
        PRODUCT_DB: testEnv.DB,
        MAIL_EVENTS: { send: async (body) => void bodies.push(body) },
      },
      { waitUntil: () => {} },
    );
    await reportMail(psp, mail?.id ?? "", "complained");
    for (const body of bodies) await reported(body);
    expect(await stoppedAddressOf(ctx, { personId: ana.id })).toMatchObject({
      reason: "complained",
    });
    await expect(reportMail(psp, "nothing", "bounced")).rejects.toThrow(PspRefusal);
  });
});

describe("an address that the email service refuses", () => {
  test("is stopped, so that its owner sees it, and the newsletter does not count it as sent", async () => {
    const refusing: Context = { ...ctx, mailer: { send: async () => "suppressed" } };
    const id = `told-${(round += 1)}`;
    await commit(ctx.db, [
      announce<OutboxMessage>(ctx, id, {
        type: "debt.paid",
        creatorId: ana.id,
        chargeId: "c",
        amountCents: 1_990,
        leftCents: 0,
      }),
    ]);
    await runMessage(refusing, { version: 1, type: "outbox.deliver", id });
    expect(await stoppedAddressOf(ctx, { personId: ana.id })).toMatchObject({ reason: "bounced" });
    expect(world.logged.map(({ event: name }) => name)).not.toContain("mail.skipped");
    await mailsNow();
    expect(world.logged.map(({ event: name }) => name)).toContain("mail.skipped");
  });
});

test("somebody without an account still gets what others sent them", async () => {
  await recordMailEvent(ctx, event("complained", { address: "gift@example.org" }));
  const id = `told-${(round += 1)}`;
  const gift = { ...exampleMessage("gift.delivered"), email: "gift@example.org" } as OutboxMessage;
  await commit(ctx.db, [announce<OutboxMessage>(ctx, id, gift)]);
  await runMessage(ctx, { version: 1, type: "outbox.deliver", id });
  expect(await ctx.db.$count(localMails, like(localMails.recipient, "gift@example.org"))).toBe(1);
});
