import { openDatabase } from "#app/db/client.server.ts";
import type { Database } from "#app/db/client.server.ts";
import { batchRequestReads } from "#app/db/batched-reads.ts";
import { checkedConfiguration } from "#app/configuration/configuration.ts";
import type { Configuration } from "#app/configuration/configuration.ts";
import type { AgeCheck } from "#app/domain/age/schema.ts";
import { acquireLease } from "#app/domain/payments/providers/commands/leases.server.ts";
import type { Signer } from "#app/domain/identity/signing/schema.ts";
import type { Context, Log } from "#app/domain/context.ts";
import type { TaxIdRegistry } from "#app/domain/documents/schema.ts";
import type { Mailer } from "#app/domain/notifications/schema/senders.ts";
import { ProviderUnclear } from "#app/domain/payments/errors.ts";
import { createPaymentRouter } from "#app/domain/payments/providers/rules/providers.ts";
import { CARD_FIELD_PATH } from "#app/domain/payments/rules/choices.ts";
import type { PaymentProvider, PaymentProviders } from "#app/domain/payments/schema.ts";
import { purchaseHandlers } from "./purchase-handlers.ts";
import type { Env } from "#app/configuration/env.ts";
import { accountErasure } from "#app/integrations/account-erasure.server.ts";
import { rpsFiles } from "#app/integrations/fiscal/rps-files.server.ts";
import { liveUpdates } from "#app/integrations/live/live-updates.server.ts";
import { platformMailer } from "#app/integrations/mail/platform-mailer.server.ts";
import { mediaLinkSigner } from "#app/integrations/r2/media-links.server.ts";
import { messageQueue } from "#app/integrations/message-queue.server.ts";
import { productSigner } from "#app/integrations/signer.server.ts";
import { localSms } from "#app/integrations/sms/local-sms.server.ts";
import { edgePageCache } from "#app/integrations/edge-cache/page-cache.server.ts";
import type { PurgedZone } from "#app/integrations/edge-cache/page-cache.server.ts";
import { pictureDrawer } from "#app/integrations/pictures/drawer.server.ts";
import { cloudflareDataset } from "#app/integrations/analytics-engine/cloudflare-dataset.server.ts";
import { localDataset } from "#app/integrations/analytics-engine/local-dataset.server.ts";
import { viewStore } from "#app/integrations/analytics-engine/points.server.ts";
import type { ViewDataset } from "#app/integrations/analytics-engine/points.server.ts";
import { r2MediaStore } from "#app/integrations/r2/media-store.server.ts";
import { renderNotifications } from "./notification-registry.ts";
import type { ProviderConfiguration } from "#app/configuration/payment-providers.ts";
import { timeOrderedId } from "#app/lib/ids.ts";

export type ComposedContext = {
  ctx: Context;
  /** Returns the D1 bookmark that lets the person's next request see its own writes. */
  bookmark(): string | null;
};

/** The product's own secret: whoever has it can sign as the product. */
const signingSecret = ({ clerk, authSecret }: Configuration): string =>
  clerk?.secretKey ?? authSecret;

/** The signer of the Context, for what comes before a Context: the key of the edge cache. */
export const signerOf = (configuration: Configuration): Signer =>
  productSigner(signingSecret(configuration));

/**
 * Composes the Context from the bindings. The only place that knows every layer. Throws when the
 * configuration is wrong.
 */
export async function composeContext(
  env: Env,
  options: {
    bookmark?: string | null;
    /** Reads of one tick share a round trip, as they always do for a page. */
    readsTogether?: boolean;
  } = {},
): Promise<ComposedContext> {
  const checked = checkedConfiguration(env);
  if (!checked.ok) throw new Error(`configuration: ${checked.problems.join("; ")}`);
  // A job reads the primary. A page can read any replica that has seen this person's writes.
  const session = env.DB.withSession(
    options.bookmark === undefined ? "first-primary" : (options.bookmark ?? "first-unconstrained"),
  );
  const db = openDatabase(
    options.bookmark === undefined && !options.readsTogether ? session : batchRequestReads(session),
  );
  const clockOffsetMs = await localClockOffsetMs(env);
  const now = () => Date.now() + clockOffsetMs;
  const secret = signingSecret(checked.configuration);
  const mediaStore = r2MediaStore(env.MEDIA, env.IMAGES);
  const ctx: Context = {
    db,
    now,
    realNow: () => Date.now(),
    newId: () => timeOrderedId(now()),
    log,
    settings: settingsOf(checked.configuration),
    payments: await payments(env, checked.configuration, { db, now }),
    purchaseHandlers,
    accounts: accountErasure(db, clerkBackend(env, checked.configuration)),
    ageCheck: await ageCheck(checked.configuration),
    registry: await registry(),
    mediaStore,
    fiscal: rpsFiles(mediaStore, checked.configuration.issuer),
    mediaLinks: mediaLinkSigner(secret),
    signer: signerOf(checked.configuration),
    pictures: pictureDrawer(env.PICTURES, log),
    pageCache: edgePageCache({
      origin: checked.configuration.appOrigin,
      realNow: () => Date.now(),
      zone: purgedZone(env),
    }),
    renderNotifications,
    mailer: await mailer(env, checked.configuration, db),
    sms: localSms(db, () => Date.now()),
    push: await push(checked.configuration, db),
    views: viewStore(viewDataset(env, db)),
    live: liveUpdates(env, log),
    queues: {
      paymentEvents: messageQueue(env.PAYMENT_EVENTS, log),
      payouts: messageQueue(env.PAYOUTS, log),
      notifications: messageQueue(env.NOTIFICATIONS, log),
      fanOut: messageQueue(env.FAN_OUT, log),
      renewals: messageQueue(env.RENEWALS, log),
    },
  };
  return { ctx, bookmark: () => session.getBookmark() };
}

/** Writes one JSON line. The caller passes ids and numbers, never personal data. */
export const log: Log = (event, fields = {}) => {
  console.log(JSON.stringify({ event, ...fields }));
};

function settingsOf(configuration: Configuration): Context["settings"] {
  return {
    appOrigin: configuration.appOrigin,
    company: configuration.company,
    feeBasisPoints: configuration.feeBasisPoints,
    pixEnabled: configuration.pixAvailable,
    payoutApprovalCents: configuration.payoutApprovalCents,
    adultSpaces: configuration.ageCheck !== null,
    uncompletedFeatures: configuration.uncompletedFeatures,
  };
}

function clerkBackend(env: Env, { clerk }: Configuration) {
  return (
    clerk && { apiUrl: env.CLERK_API_URL ?? "https://api.clerk.com", secretKey: clerk.secretKey }
  );
}

/** Counts in the platform's dataset where its answers can be read too; in D1 elsewhere. */
function viewDataset(env: Env, db: Database): ViewDataset {
  const { VIEWS: binding, ANALYTICS_ACCOUNT_ID: accountId, ANALYTICS_API_TOKEN: apiToken } = env;
  return binding && accountId && apiToken
    ? cloudflareDataset({ binding, accountId, apiToken })
    : localDataset(db);
}

/** The zone whose other data centers are purged too, where it is configured. */
function purgedZone({ PURGED_ZONE_ID: zoneId, PURGE_API_TOKEN: apiToken }: Env): PurgedZone | null {
  return zoneId && apiToken ? { zoneId, apiToken } : null;
}

async function localClockOffsetMs(env: Env): Promise<number> {
  if (!__LOCAL__ || !env.CLOCK) return 0;
  return (await env.CLOCK.now()) - Date.now();
}

/**
 * Loads the local age check, the only one there is. No deployed bundle has it, so a deployed
 * product cannot turn adult spaces on.
 */
async function ageCheck({ ageCheck: check, appOrigin }: Configuration): Promise<AgeCheck | null> {
  // Written so that the bundler removes the unreachable code.
  if (__LOCAL__) {
    if (!check) return null;
    const { localAgeCheck } = await import("#app/integrations/age-check/local.server.ts");
    return localAgeCheck({ secret: check.secret, origin: appOrigin, realNow: () => Date.now() });
  }
  return null;
}

/**
 * Uses the platform's binding where emails have a sender. A local build without one stores them in
 * its inbox.
 */
async function mailer(
  env: Env,
  { mailFrom, company }: Configuration,
  db: Database,
): Promise<Mailer> {
  const realNow = () => Date.now();
  if (mailFrom && env.EMAIL)
    return platformMailer({
      email: env.EMAIL,
      db,
      from: mailFrom,
      replyTo: company.email,
      realNow,
      log,
    });
  if (!__LOCAL__)
    throw new Error("configuration: EMAIL: falta a ligação send_email no wrangler.toml");
  const { localMailer } = await import("#app/integrations/mail/local-mailer.server.ts");
  return localMailer(db, realNow);
}

/** A local build stores its pushes, so that no test or rehearsal reaches a device. */
async function push(
  { push: keys, company }: Configuration,
  db: Database,
): Promise<Context["push"]> {
  if (keys === null) return null;
  if (__LOCAL__) {
    const { localPush } = await import("#app/integrations/push/local-push.server.ts");
    return { sender: localPush(db, () => Date.now()), publicKey: keys.publicKey };
  }
  const { webPush } = await import("#app/integrations/push/web-push.server.ts");
  return {
    sender: webPush({ ...keys, subject: `mailto:${company.email}` }),
    publicKey: keys.publicKey,
  };
}

/**
 * Loads the local tax id registry, the only one there is. It verifies check digits only. No
 * deployed bundle has it: moderators look tax ids up by hand there.
 */
async function registry(): Promise<TaxIdRegistry | null> {
  if (!__LOCAL__) return null;
  const { localRegistry } = await import("#app/integrations/registry/local.server.ts");
  return localRegistry();
}

/**
 * Loads one provider where it takes every method. Otherwise loads the acquirer of each method, and
 * the providers of earlier charges.
 */
async function payments(
  env: Env,
  { payments: chosen, appOrigin }: Configuration,
  { db, now }: Pick<Context, "db" | "now">,
): Promise<PaymentProviders> {
  const providers = await Promise.all(
    chosen.providers.map((one) => paymentProvider(env, one, { db, now, appOrigin })),
  );
  return createPaymentRouter(providers, chosen);
}

/** Loads each adapter by itself: a page of a product with one provider never loads another. */
async function paymentProvider(
  env: Env,
  one: ProviderConfiguration,
  { db, now, appOrigin }: Pick<Context, "db" | "now"> & { appOrigin: string },
): Promise<PaymentProvider> {
  if (one.provider === "stripe") {
    const { stripeProvider } = await import("#app/integrations/stripe/provider.server.ts");
    return stripeProvider({
      ...one,
      cardFieldUrl: one.publishableKey === null ? null : `${appOrigin}${CARD_FIELD_PATH}`,
      ...(env.STRIPE_API_URL ? { apiUrl: env.STRIPE_API_URL } : {}),
    });
  }
  if (one.provider === "asaas") {
    const { asaasProvider } = await import("#app/integrations/asaas/provider.server.ts");
    return asaasProvider({
      ...one,
      now,
      takeTurn: (subject, forMs) => acquireLease({ db, at: Date.now() }, { subject, forMs }),
    });
  }
  if (__LOCAL__) {
    const { sandboxProvider } = await import("#app/integrations/sandbox/provider.server.ts");
    return sandboxProvider({
      fetch: (request) => (env.SANDBOX_PSP ? env.SANDBOX_PSP.fetch(request) : fetch(request)),
      apiKey: env.SANDBOX_API_KEY ?? "",
      webhookSecret: env.SANDBOX_WEBHOOK_SECRET ?? "",
      publicUrl: env.SANDBOX_PUBLIC_URL ?? "",
    });
  }
  throw new ProviderUnclear("no adapter for the payment provider");
}
