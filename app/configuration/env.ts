/**
 * True in local builds (start, serve, tests), false in the bundles for deploying. Replaced at build
 * time.
 */
declare global {
  const __LOCAL__: boolean;
  /** The version in package.json. Replaced at build time. */
  const __VERSION__: string;
}

/** Every binding and variable of any worker. configuration.ts checks the variables. */
export type Env = {
  DB: D1Database;
  MEDIA: R2Bucket;
  IMAGES: ImagesBinding;
  PAYMENT_EVENTS: Queue;
  PAYOUTS: Queue;
  NOTIFICATIONS: Queue;
  FAN_OUT: Queue;
  RENEWALS: Queue;
  /** Draws the preview images of links. Without it links have none. */
  PICTURES?: Fetcher;
  /** Counts page views. Without it, or without the two below, they are counted in D1. */
  VIEWS?: AnalyticsEngineDataset;
  /** The account and the token that read the counts: "Account Analytics: Read". */
  ANALYTICS_ACCOUNT_ID?: string;
  ANALYTICS_API_TOKEN?: string;
  /** The zone of the domain, and a token that purges it: "Zone: Cache Purge". */
  PURGED_ZONE_ID?: string;
  PURGE_API_TOKEN?: string;
  /** Live updates of open pages: one object a topic. Without it the pages poll. */
  LIVE?: LiveTopics;
  /** Sends email. Deployed only: a local build stores it in its inbox. */
  EMAIL?: SendEmail;
  MAIL_FROM?: string;
  VAPID_PUBLIC_KEY?: string;
  VAPID_PRIVATE_KEY?: string;
  FEED_LIMITER?: RateLimit;
  FEED_FILE_LIMITER?: RateLimit;
  SEARCH_LIMITER?: RateLimit;
  PRESENCE_LIMITER?: RateLimit;
  /** Local only: the sandbox provider, and the clock that its console moves. */
  SANDBOX_PSP?: Fetcher;
  CLOCK?: { now(): Promise<number> };
  APP_ORIGIN?: string;
  API_BASE_URL?: string;
  MODE?: string;
  FEE_PERCENTAGE?: string;
  PAYOUT_APPROVAL_LIMIT?: string;
  PIX_AVAILABLE?: string;
  QUERY_DEVTOOLS?: string;
  UNCOMPLETED_FEATURES?: string;
  ANALYTICS_MEASUREMENT_ID?: string;
  COMPANY_NAME?: string;
  COMPANY_CNPJ?: string;
  COMPANY_ADDRESS?: string;
  COMPANY_EMAIL?: string;
  COMPANY_PRIVACY_EMAIL?: string;
  FISCAL_MUNICIPAL_ID?: string;
  FISCAL_SERVICE_CODE?: string;
  FISCAL_ISS_PERCENTAGE?: string;
  ADULT_SPACES?: string;
  ADULT_PAYMENTS?: string;
  AGE_CHECK_PROVIDER?: string;
  AGE_CHECK_SECRET?: string;
  PAYMENT_PROVIDER?: string;
  PAYMENT_PROVIDER_PIX?: string;
  PAYMENT_PROVIDER_CARD?: string;
  PAYMENT_PROVIDERS_KEPT?: string;
  STRIPE_SECRET_KEY?: string;
  STRIPE_PUBLISHABLE_KEY?: string;
  STRIPE_WEBHOOK_SECRET?: string;
  ASAAS_API_KEY?: string;
  ASAAS_WEBHOOK_TOKEN?: string;
  ASAAS_API_URL?: string;
  /** Stripe's API; its public URL by default. */
  STRIPE_API_URL?: string;
  SANDBOX_PUBLIC_URL?: string;
  SANDBOX_API_KEY?: string;
  SANDBOX_WEBHOOK_SECRET?: string;
  AUTH_SECRET?: string;
  CLERK_PUBLISHABLE_KEY?: string;
  CLERK_SECRET_KEY?: string;
  CLERK_JWT_KEY?: string;
  CLERK_JWT_TEMPLATE?: string;
  CLERK_WEBHOOK_SIGNING_SECRET?: string;
  /** Clerk's Backend API; its public URL by default. */
  CLERK_API_URL?: string;
  OIDC_PROVIDERS?: string;
} & OutsideVariables;

/** The Durable Object of `workers/live/topic.ts`, as its callers see it. */
type LiveTopics = {
  idFromName(topic: string): DurableObjectId;
  get(id: DurableObjectId): {
    fetch(request: Request): Promise<Response>;
    notify(gatherMs?: number): Promise<void>;
    sendTyping(conversationId: string): Promise<void>;
    isListening(): Promise<boolean>;
  };
};

/**
 * `OIDC_<ID>_ISSUER`, `_CLIENT_ID`, `_CLIENT_SECRET` and `_NAME` of every external provider.
 * external-providers.ts reads them.
 */
type OutsideVariables = {
  readonly [name: `OIDC_${string}_${"ISSUER" | "CLIENT_ID" | "CLIENT_SECRET" | "NAME"}`]:
    | string
    | undefined;
};
