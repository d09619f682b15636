import type { PlatformCompany } from "#app/domain/fiscal/schema/company.ts";
import type { Database } from "#app/db/client.server.ts";
import type { BasisPoints, Cents } from "./money.ts";
import type { InvoiceIssuer } from "#app/domain/fiscal/schema.ts";
import type { AgeCheck } from "#app/domain/age/schema.ts";
import type { TaxIdRegistry } from "#app/domain/documents/schema.ts";
import type { Instant } from "./time.ts";
import type { PurchaseHandlersOf } from "#app/domain/payments/purchase-handlers/schema.ts";
import type { PaymentProviders } from "#app/domain/payments/schema.ts";
import type { Signer } from "#app/domain/identity/signing/schema.ts";
import type { AccountErasure } from "#app/domain/identity/identity-provider/schema/provider.ts";
import type { ViewStore } from "#app/domain/analytics/views/schema.ts";
import type { LinkSigner, MediaStore } from "#app/domain/media/schema.ts";
import type { PageCache } from "#app/domain/profiles/schema.ts";
import type { PictureDrawer } from "#app/domain/syndication/schema.ts";
import type { RenderedNotifications } from "./outbox.ts";
import type {
  LiveUpdates,
  Mailer,
  PushSender,
  SmsSender,
} from "#app/domain/notifications/schema/senders.ts";

/** Logs one structured line. `fields` carry ids and numbers, never personal data. */
export type Log = (
  event: `${string}.${string}`,
  fields?: Record<string, string | number | boolean | null | undefined>,
) => void;

/** A queue as the domain sees it. It may lose or repeat messages. */
export type MessageQueue<Message> = {
  send(message: Message): Promise<void>;
  /** Sends any number of messages, in as few calls as the queue allows. */
  sendAll(messages: readonly Message[]): Promise<void>;
};

export type Queues = {
  /**
   * A stored webhook event. Its type (`about`), and whether it is about a paid charge, choose what
   * is loaded together with the event.
   */
  paymentEvents: MessageQueue<{
    version: 1;
    type: "inbox.received";
    id: string;
    about?: string | undefined;
    isPaid?: boolean | undefined;
  }>;
  /** The id of a payout or, for `key_owner.ask`, of the creator with the key. */
  payouts: MessageQueue<{
    version: 1;
    type: "payout.claim" | "payout.send" | "key_owner.ask";
    id: string;
  }>;
  notifications: MessageQueue<{
    version: 1;
    type: "outbox.deliver" | "post.publish";
    id: string;
  }>;
  /**
   * What goes to many people, a page a message. It has a queue of its own, so that a notice to one
   * person never waits behind it.
   */
  fanOut: MessageQueue<{
    version: 1;
    type: "outbox.deliver" | "outbox.push" | "broadcast.send" | "deliveries.send";
    id: string;
  }>;
  /** After `until` a message is ignored: another one of the same row was sent, or will be. */
  renewals: MessageQueue<{
    version: 1;
    type: "subscription.renew" | "vacation.sweep";
    id: string;
    until?: number | undefined;
  }>;
};

/** The configuration that the domain needs. */
type Settings = {
  appOrigin: string;
  /** The company that runs the platform. */
  company: PlatformCompany;
  feeBasisPoints: BasisPoints;
  pixEnabled: boolean;
  /** A payout above it, in centavos, needs a moderator's approval. */
  payoutApprovalCents: Cents;
  /** Whether adult pages exist here. If not, only their owner sees pages marked as such. */
  adultSpaces: boolean;
  /** Whether features that are still being built are shown. */
  uncompletedFeatures: boolean;
};

/** Everything a command or query can reach. Nothing else is ambient. */
export type Context = {
  db: Database;
  /** The product's time, which the sandbox's test clock can move. */
  now(): Instant;
  /** The wall clock: for ages of sessions and signatures, and for queued messages. */
  realNow(): Instant;
  /** Returns 32 lower-case hex digits, ordered by time. */
  newId(): string;
  log: Log;
  settings: Settings;
  payments: PaymentProviders;
  /** Settles, renews and ends each kind of purchase. */
  purchaseHandlers: PurchaseHandlersOf<Context>;
  accounts: AccountErasure;
  /** Null where adult spaces are off. */
  ageCheck: AgeCheck | null;
  /** Null where none is connected: moderators look tax ids up by hand. */
  registry: TaxIdRegistry | null;
  mediaStore: MediaStore;
  mediaLinks: LinkSigner;
  signer: Signer;
  pictures: PictureDrawer;
  pageCache: PageCache;
  /** Counts page views and plays. */
  views: ViewStore;
  fiscal: InvoiceIssuer;
  /**
   * Renders a stored outbox message by its own module. Throws for a message that no module
   * declares.
   */
  renderNotifications(stored: Record<string, unknown>): RenderedNotifications;
  mailer: Mailer;
  sms: SmsSender;
  /** With the public key that browsers ask for. Null where no pushes are sent. */
  push: { sender: PushSender; publicKey: string } | null;
  live: LiveUpdates;
  queues: Queues;
};
