import { like } from "drizzle-orm";
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
import { receiveMailWebhook } from "#workers/payment-webhooks/receive-mail.ts";
import { signedMailEvent } from "#app/integrations/mail/webhook.server.ts";
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
    await resumeAddress(ctx, { personId: ana.id });
    expect(await stoppedAddressOf(ctx, { personId: ana.id })).toBe(null);
    expect(await mailsNow()).toEqual([1, 1]);
  });

  test("of a temporary bounce nothing changes", async () => {
    await recordMailEvent(ctx, event("bounced", { isPermanent: false }));
    expect(await mailsNow()).toEqual([1, 1]);
  });

  test("that is older than the undoing nothing changes; a later one stops again", async () => {
    await resumeAddress(ctx, { personId: ana.id });
    await recordMailEvent(ctx, event("bounced"));
    await resumeAddress(ctx, { personId: ana.id });
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

describe("the webhook", () => {
  const SECRET = testEnv.MAIL_WEBHOOK_SECRET ?? "";
  const request = ({
    secret = SECRET,
    body,
    about = event("bounced"),
  }: { secret?: string; body?: string; about?: MailEvent } = {}) => {
    const signed = signedMailEvent(secret, { ...about, id: "e1" });
    return new Request("https://coreto.test/webhooks/mail", {
      method: "POST",
      headers: signed.headers,
      body: body ?? signed.body,
    });
  };
  const receive = async (asked: Request) =>
    (await receiveMailWebhook(ctx, ["whsec_b2xk", SECRET], asked)).status;
  const isStopped = async () => (await stoppedAddressOf(ctx, { personId: ana.id })) !== null;

  test("stops the address, once however often it comes", async () => {
    expect([await receive(request()), await receive(request())]).toEqual([200, 200]);
    expect(await isStopped()).toBe(true);
  });

  test.each([
    ["another secret", { secret: "whsec_Zm9yZ2Vk" }],
    ["another body", { body: '{"type":"email.bounced"}' }],
    ["no address", { about: event0() }],
  ])("refuses %s", async (_, forged) => {
    expect(await receive(request(forged))).toBe(401);
    expect(await isStopped()).toBe(false);
  });

  test("of a signature that is hours old is refused", async () => {
    const about = event("bounced", { occurredAt: ctx.realNow() - HOUR_MS });
    expect(await receive(request({ about }))).toBe(401);
  });

  test("is what the buttons of the local inbox send", async () => {
    await mailsNow();
    const [mail] = await ctx.db
      .select()
      .from(localMails)
      .where(like(localMails.recipient, ana.email));
    const psp = await openPsp(
      {
        ...world.env,
        SANDBOX_API_KEY: "",
        SANDBOX_WEBHOOK_SECRET: "",
        SANDBOX_PUBLIC_URL: "",
        APP_ORIGIN: testEnv.APP_ORIGIN ?? "",
        MAIL_WEBHOOK_SECRET: SECRET,
        PRODUCT_DB: testEnv.DB,
        FRONT: { fetch: (asked) => receiveMailWebhook(ctx, [SECRET], asked) },
      },
      { waitUntil: () => {} },
    );
    await reportMail(psp, mail?.id ?? "", "complained");
    expect(await stoppedAddressOf(ctx, { personId: ana.id })).toMatchObject({
      reason: "complained",
    });
    await expect(reportMail(psp, "nothing", "bounced")).rejects.toThrow(PspRefusal);
  });

  function event0(): MailEvent {
    return { type: "bounced", address: "nobody", isPermanent: true, occurredAt: 0 };
  }
});
