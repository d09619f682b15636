import { purchaseHandlers } from "#app/purchase-handlers.ts";
import { EXAMPLE_COMPANY } from "#app/configuration/company.ts";
import { openDatabase } from "#app/db/client.server.ts";
import type { Context, MessageQueue } from "#app/domain/context.ts";
import { accountErasure } from "#app/integrations/account-erasure.server.ts";
import { localMailer } from "#app/integrations/mail/local-mailer.server.ts";
import { productSigner } from "#app/integrations/signer.server.ts";
import { localDataset } from "#app/integrations/analytics-engine/local-dataset.server.ts";
import { viewStore } from "#app/integrations/analytics-engine/points.server.ts";
import { localRegistry } from "#app/integrations/registry/local.server.ts";
import { localSms } from "#app/integrations/sms/local-sms.server.ts";
import { renderNotifications } from "#app/notification-registry.ts";
import { randomFrom } from "#drizzle/seed/random.ts";
import type { Random } from "#drizzle/seed/random.ts";
import { rehearsalProvider } from "./provider.ts";
import type { RehearsalProvider } from "./provider.ts";
import { migrate, readMigrations } from "#scripts/migrations.ts";
import { inRoot } from "#scripts/paths.ts";
import { rehearsalDatabase } from "./sqlite-d1.ts";
import type { RehearsalDatabase } from "./sqlite-d1.ts";

/** What the product would put in queues; the seed does the work itself, as the workers do. */
type Queued = {
  renewals: string[];
  payouts: { type: "payout.claim" | "payout.send" | "key_owner.ask"; id: string }[];
  notifications: string[];
};

export type Rehearsal = {
  ctx: Context;
  provider: RehearsalProvider;
  queued: Queued;
  product: RehearsalDatabase;
  psp: RehearsalDatabase;
  /** Sets the town's time. */
  travelTo(at: number): void;
};

export type RehearsalOptions = {
  startAt: number;
  appOrigin: string;
  sandboxOrigin: string;
  sandboxApiKey: string;
  uncompletedFeatures?: boolean;
  mediaStore: Context["mediaStore"];
  log: (line: string) => void;
};

/**
 * A whole product and its provider in memory, on a clock of its own, composed of the real commands
 * and workers' jobs.
 */
export async function rehearse(options: RehearsalOptions): Promise<Rehearsal> {
  let at = options.startAt;
  const now = (): number => at;
  const product = await migrated("drizzle", "migrations");
  const psp = await migrated("workers", "sandbox-psp", "migrations");
  const provider = rehearsalProvider({
    db: psp.binding,
    now,
    apiKey: options.sandboxApiKey,
    appOrigin: options.appOrigin,
    publicUrl: options.sandboxOrigin,
  });
  const queued: Queued = { renewals: [], payouts: [], notifications: [] };
  const db = openDatabase(product.binding);
  const ctx: Context = {
    db,
    now,
    realNow: now,
    newId: ids(randomFrom("coreto ids"), now),
    log: (event, fields) => options.log(`${event} ${JSON.stringify(fields ?? {})}`),
    settings: {
      appOrigin: options.appOrigin,
      company: EXAMPLE_COMPANY,
      feeBasisPoints: 500,
      pixEnabled: true,
      payoutApprovalCents: 500_000,
      adultSpaces: false,
      uncompletedFeatures: options.uncompletedFeatures ?? false,
    },
    payments: provider.payments,
    purchaseHandlers,
    accounts: accountErasure(db, null),
    ageCheck: null,
    registry: localRegistry(),
    mediaStore: options.mediaStore,
    views: viewStore(localDataset(db)),
    // Nothing of a rehearsal is invoiced.
    fiscal: {
      missing: [],
      handIn: async () => undefined,
      forget: async () => undefined,
      file: async () => null,
    },
    mediaLinks: { sign: async () => "", isGenuine: async () => false },
    signer: productSigner("rehearsal"),
    pictures: { draw: async () => null },
    pageCache: { purge: async () => {} },
    renderNotifications,
    mailer: localMailer(db, now),
    sms: localSms(db, now),
    push: null,
    live: {
      changed: async () => {},
      typing: async () => {},
      isListening: async () => false,
      address: async () => "",
    },
    queues: {
      paymentEvents: queueOf(() => {}),
      payouts: queueOf(({ type, id }) => queued.payouts.push({ type, id })),
      notifications: queueOf(({ id }) => queued.notifications.push(id)),
      fanOut: queueOf(({ id }) => queued.notifications.push(id)),
      renewals: queueOf(({ id }) => queued.renewals.push(id)),
    },
  };
  return {
    ctx,
    provider,
    queued,
    product,
    psp,
    travelTo: (instant) => {
      if (instant < at)
        throw new Error(
          `the town's time runs forward: ${new Date(instant).toISOString()} is before ${new Date(at).toISOString()}`,
        );
      at = instant;
    },
  };
}

async function migrated(...directory: string[]): Promise<RehearsalDatabase> {
  const database = rehearsalDatabase();
  await migrate(database.binding, readMigrations(inRoot(...directory)));
  return database;
}

function queueOf<Message>(collect: (message: Message) => unknown): MessageQueue<Message> {
  return {
    send: async (message) => void collect(message),
    sendAll: async (messages) => messages.forEach((message) => void collect(message)),
  };
}

/**
 * Ids of the product's shape: by time, then in the order of asking, then by chance. The same in
 * every town.
 */
function ids(random: Random, now: () => number): () => string {
  let sequence = 0;
  return () => {
    sequence = (sequence + 1) % 0x1000;
    const tail = Array.from({ length: 15 }, () => random.int(0, 15).toString(16)).join("");
    return `${now().toString(16).padStart(12, "0")}7${sequence.toString(16).padStart(3, "0")}8${tail}`;
  };
}
