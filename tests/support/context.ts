import { EXAMPLE_COMPANY, EXAMPLE_ISSUER } from "#app/configuration/company.ts";
import { openDatabase } from "#app/db/client.server.ts";
import type { Context, Log, Queues } from "#app/domain/context.ts";
import type { PaymentProvider } from "#app/domain/payments/schema.ts";
import { purchaseHandlers } from "#app/purchase-handlers.ts";
import type { Env } from "#app/configuration/env.ts";
import { timeOrderedId } from "#app/lib/ids.ts";
import { localAgeCheck } from "#app/integrations/age-check/local.server.ts";
import { accountErasure } from "#app/integrations/account-erasure.server.ts";
import type { BackendApi } from "#app/integrations/clerk/backend-api.server.ts";
import { localDataset } from "#app/integrations/analytics-engine/local-dataset.server.ts";
import { viewStore } from "#app/integrations/analytics-engine/points.server.ts";
import { rpsFiles } from "#app/integrations/fiscal/rps-files.server.ts";
import { localMailer } from "#app/integrations/mail/local-mailer.server.ts";
import { localPush } from "#app/integrations/push/local-push.server.ts";
import { mediaLinkSigner } from "#app/integrations/r2/media-links.server.ts";
import { productSigner } from "#app/integrations/signer.server.ts";
import { localRegistry } from "#app/integrations/registry/local.server.ts";
import { localSms } from "#app/integrations/sms/local-sms.server.ts";
import { r2MediaStore } from "#app/integrations/r2/media-store.server.ts";
import { sandboxProvider } from "#app/integrations/sandbox/provider.server.ts";
import { renderNotifications } from "#app/notification-registry.ts";
import { applyEvent, sweepInbox } from "#workers/fees/apply-event.ts";
import { receiveWebhook } from "#workers/payment-webhooks/receive.ts";
import { deliverMessage } from "#workers/notifications/deliver.ts";
import { runNotificationsCron } from "#workers/notifications/sweep.ts";
import { runPayoutJob, runPayouts } from "#workers/payouts/run.ts";
import { handleRenewalMessage, runRenewals } from "#workers/renewals/run.ts";
import { handleSandbox } from "#workers/sandbox-psp/handler.ts";
import { sendBroadcastPage } from "#app/domain/broadcasts/commands/send.server.ts";
import { newsletters } from "#app/domain/newsletters/commands/reactions.server.ts";
import {
  DELIVERIES_AT_ONCE,
  sendDueDeliveries,
} from "#app/domain/notifications/commands/steps.server.ts";
import { sendPushesOf } from "#app/domain/notifications/commands.server.ts";
import { publishDuePost } from "#app/domain/posts/commands/lifecycle.server.ts";
import { testClock } from "./clock.ts";
import { beginWorld, noteWorld } from "./clean-storage.ts";
import { testEnv } from "./worker-env.ts";

export type Message = Parameters<
  Queues["paymentEvents" | "payouts" | "notifications" | "fanOut" | "renewals"]["send"]
>[0];

/**
 * The whole product in one test: a real D1, the real sandbox provider called in process, and queues
 * that hold messages until drained.
 */
export type World = {
  /** The context, with one provider for every charge and payout. */
  ctx: Context & { payments: PaymentProvider };
  env: Env & { PSP_DB: D1Database };
  /** Advances the clock of the product and of the provider. */
  advance(ms: number): Promise<void>;
  /** Messages enqueued and not run yet. */
  queued: Message[];
  /** Topics of the live updates sent to open pages. */
  changedTopics: string[];
  /** Tags of public pages that were purged. */
  purgedTags: string[];
  /** Topics to which a page listens. */
  listeningTopics: Set<string>;
  /** Runs the queued messages as the workers do, until none is left. */
  drain(): Promise<void>;
  /** Runs every cron once, and the messages that they enqueue. */
  tick(): Promise<void>;
  /** Calls the sandbox provider's console, such as `/sandbox/charges/:id/pay`. */
  console(
    path: string,
    body?: Record<string, unknown>,
  ): Promise<{ status: number; body: Record<string, unknown> }>;
  /** Calls the provider as the payer's browser does: its pages and its public token endpoint. */
  browse(path: string, init?: RequestInit): Promise<Response>;
  /** All log entries, newest last. */
  logged: { event: string; fields: Record<string, unknown> }[];
};

/** Noon in São Paulo, for tests that count days from a known one. */
export const NOON_OF_NOVEMBER_11 = "2026-11-11T15:00:00Z";

export type WorldOptions = {
  /** Whether webhooks reach the product as they happen. If false, the test posts them itself. */
  webhooks?: boolean;
  /** Wraps the D1 binding, for example to add crash points. */
  database?: (binding: D1Database) => D1Database;
  feeBasisPoints?: number;
  /** Clerk's Backend API, for members who sign in with Clerk. */
  clerk?: BackendApi;
  /** Turns on adult pages, with the local age check. */
  adultSpaces?: boolean;
  /** Shows the features that are still being built. */
  uncompletedFeatures?: boolean;
  /** Initial time of the product and the provider, for a test of a given day. */
  startsAt?: string;
};

/**
 * Creates a world over the test's D1. The tests of one file share the storage, so each test creates
 * its own people.
 */
export async function testContext(options: WorldOptions = {}): Promise<World> {
  if (options.startsAt) await beginWorld(Date.parse(options.startsAt));
  const logged: World["logged"] = [];
  const queued: Message[] = [];
  const changedTopics: string[] = [];
  const purgedTags: string[] = [];
  const listeningTopics = new Set<string>();
  const startMs = options.startsAt ? Date.parse(options.startsAt) - testClock.now() : 0;
  /** The wall clock. `advance` does not move it. */
  const realNow = () => testClock.now() + startMs;
  let offsetMs = startMs;
  const pending: Promise<unknown>[] = [];
  const waiter = { waitUntil: (work: Promise<unknown>) => void pending.push(work) };
  const pspEnv = () => ({
    PSP_DB: testEnv.PSP_DB,
    SANDBOX_API_KEY: testEnv.SANDBOX_API_KEY ?? "",
    SANDBOX_WEBHOOK_SECRET: testEnv.SANDBOX_WEBHOOK_SECRET ?? "",
    SANDBOX_PUBLIC_URL: testEnv.SANDBOX_PUBLIC_URL ?? "",
    APP_ORIGIN: testEnv.APP_ORIGIN ?? "",
    ...(options.webhooks === false
      ? {}
      : { FRONT: { fetch: (request: Request) => receiveWebhook(ctx, request) } }),
  });
  const psp = (request: Request) => handleSandbox(request, pspEnv(), waiter);
  const log: Log = (event, fields = {}) => void logged.push({ event, fields });
  const hold = {
    send: async (message: Message) => void queued.push(message),
    sendAll: async (messages: readonly Message[]) => void queued.push(...messages),
  };
  const db = openDatabase(options.database ? options.database(testEnv.DB) : testEnv.DB);
  const clock = () => testClock.now() + offsetMs;
  let lastMs = 0;
  // Each read is a millisecond later, up to two ahead of the clock. Code that needs one moment must
  // read the time once.
  const now = () => (lastMs = Math.max(Math.min(lastMs + 1, clock() + 2), clock()));
  const ctx: World["ctx"] = {
    db,
    now,
    realNow,
    newId: () => timeOrderedId(clock()),
    log,
    settings: {
      appOrigin: testEnv.APP_ORIGIN ?? "",
      company: EXAMPLE_COMPANY,
      feeBasisPoints: options.feeBasisPoints ?? 500,
      pixEnabled: true,
      payoutApprovalCents: 500_000,
      adultSpaces: options.adultSpaces ?? false,
      uncompletedFeatures: options.uncompletedFeatures ?? false,
    },
    payments: sandboxProvider({
      fetch: psp,
      apiKey: testEnv.SANDBOX_API_KEY ?? "",
      webhookSecret: testEnv.SANDBOX_WEBHOOK_SECRET ?? "",
      publicUrl: testEnv.SANDBOX_PUBLIC_URL ?? "",
    }),
    purchaseHandlers,
    accounts: accountErasure(db, options.clerk ?? null),
    ageCheck: options.adultSpaces
      ? localAgeCheck({
          secret: testEnv.AGE_CHECK_SECRET ?? "",
          origin: testEnv.APP_ORIGIN ?? "",
          realNow,
        })
      : null,
    registry: localRegistry(),
    mediaStore: r2MediaStore(testEnv.MEDIA, testEnv.IMAGES),
    fiscal: rpsFiles(r2MediaStore(testEnv.MEDIA, testEnv.IMAGES), EXAMPLE_ISSUER),
    mediaLinks: mediaLinkSigner(testEnv.AUTH_SECRET ?? ""),
    signer: productSigner(testEnv.AUTH_SECRET ?? ""),
    pictures: { draw: async () => null },
    pageCache: { purge: async (tags) => void purgedTags.push(...tags) },
    views: viewStore(localDataset(db)),
    renderNotifications,
    mailer: localMailer(db, realNow),
    sms: localSms(db, realNow),
    push: { sender: localPush(db, realNow), publicKey: testEnv.VAPID_PUBLIC_KEY ?? "" },
    live: {
      changed: async (topic) => void changedTopics.push(topic),
      typing: async (topic, conversationId) =>
        void changedTopics.push(`${topic} typing ${conversationId}`),
      isListening: async (topic) => listeningTopics.has(topic),
      address: async (topic) => `/live/${topic}`,
    },
    queues: {
      paymentEvents: hold,
      payouts: hold,
      notifications: hold,
      fanOut: hold,
      renewals: hold,
    },
  };
  async function settledWork(): Promise<void> {
    while (pending.length > 0) await Promise.allSettled(pending.splice(0));
  }
  async function drain(): Promise<void> {
    for (let round = 0; round < 50; round += 1) {
      await settledWork();
      const batch = queued.splice(0);
      if (batch.length === 0) return;
      for (const message of batch) await runMessage(ctx, message);
    }
    throw new Error("the queues never came to rest");
  }
  async function callConsole(path: string, body: Record<string, unknown> = {}) {
    const response = await psp(
      new Request(`${testEnv.APP_ORIGIN}${path}`, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          accept: "application/json",
          origin: testEnv.APP_ORIGIN ?? "",
        },
        body: JSON.stringify(body),
      }),
    );
    const text = await response.text();
    await settledWork();
    return { status: response.status, body: parsed(text) };
  }
  async function moveProvider(): Promise<void> {
    noteWorld(clock());
    const moved = await callConsole("/sandbox/clock", {
      to: new Date(now()).toISOString(),
      run: false,
    });
    if (moved.status !== 200)
      throw new Error(`the sandbox's clock did not move: ${JSON.stringify(moved.body)}`);
  }
  if (options.startsAt) await moveProvider();
  else {
    noteWorld(0);
    await callConsole("/sandbox/clock", { reset: true });
  }
  return {
    ctx,
    env: testEnv,
    logged,
    changedTopics,
    purgedTags,
    listeningTopics,
    queued,
    drain,
    console: callConsole,
    async browse(path, init) {
      const response = await psp(
        new Request(`${testEnv.SANDBOX_PUBLIC_URL}${path}`, { redirect: "manual", ...init }),
      );
      await settledWork();
      return response;
    },
    async advance(ms) {
      offsetMs += ms;
      await moveProvider();
    },
    async tick() {
      await callConsole("/sandbox/tick");
      await sweepInbox(ctx);
      await runRenewals(ctx);
      await runPayouts(ctx);
      await drain();
      await runNotificationsCron(ctx);
      await callConsole("/sandbox/tick");
      await drain();
    },
  };
}

function parsed(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return { text };
  }
}

/** Runs a message as the worker of its queue does. */
export async function runMessage(ctx: Context, message: Message): Promise<void> {
  switch (message.type) {
    case "inbox.received":
      return await applyEvent(ctx, { ...message, inboxId: message.id });
    case "payout.claim":
    case "payout.send":
    case "key_owner.ask":
      return await runPayoutJob(ctx, { type: message.type, id: message.id });
    case "subscription.renew":
    case "vacation.sweep":
      return await handleRenewalMessage(ctx, message);
    case "post.publish":
      return await publishDuePost(ctx, { postId: message.id });
    case "broadcast.send":
      return await sendBroadcastPage(ctx, { broadcastId: message.id });
    case "deliveries.send":
      return await sendDueDeliveries(ctx, { newsletters, limit: DELIVERIES_AT_ONCE });
    case "outbox.push":
      return await sendPushesOf(ctx, { outboxId: message.id });
    case "outbox.deliver":
      return await deliverMessage(ctx, { outboxId: message.id });
  }
}
