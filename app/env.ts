/** True in local builds (start, serve, tests), false in the bundles for deploying. Replaced at build time. */
declare global {
  const __LOCAL__: boolean;
  /** The version in package.json. Replaced at build time. */
  const __VERSION__: string;
}

/** Every binding and variable that any of the workers may be given. Variables are checked in configuration.ts. */
export type Env = {
  DB: D1Database;
  MEDIA: R2Bucket;
  IMAGES: ImagesBinding;
  PAYMENT_EVENTS: Queue;
  PAYOUTS: Queue;
  NOTIFICATIONS: Queue;
  RENEWALS: Queue;
  /** Local only: the sandbox provider, and the clock that its console moves. */
  SANDBOX_PSP?: Fetcher;
  CLOCK?: { now(): Promise<number> };
  APP_ORIGIN?: string;
  API_BASE_URL?: string;
  MODE?: string;
  FEE_PERCENTAGE?: string;
  PIX_AVAILABLE?: string;
  QUERY_DEVTOOLS?: string;
  UNCOMPLETED_FEATURES?: string;
  ANALYTICS_MEASUREMENT_ID?: string;
  PAYMENT_PROVIDER?: string;
  SANDBOX_PUBLIC_URL?: string;
  SANDBOX_API_KEY?: string;
  SANDBOX_WEBHOOK_SECRET?: string;
  AUTH_SECRET?: string;
  CLERK_PUBLISHABLE_KEY?: string;
  CLERK_SECRET_KEY?: string;
  CLERK_JWT_KEY?: string;
  CLERK_JWT_TEMPLATE?: string;
  CLERK_WEBHOOK_SIGNING_SECRET?: string;
  /** Clerk's Backend API; its own address unless said otherwise. */
  CLERK_API_URL?: string;
};
