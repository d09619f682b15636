/** A worker's cron, reachable by service binding so that the test clock can run it. */
type Job = { run(cron: string): Promise<unknown> };

/**
 * What the sandbox provider is given. Only PSP_DB and the four strings are needed to answer the
 * API.
 */
export type SandboxEnv = {
  PSP_DB: D1Database;
  /** The product's front door; webhooks are posted through it. */
  FRONT?: { fetch(request: Request): Promise<Response> };
  /**
   * For the console: mails, inbox, outbox and what is due next. Its one write takes a row out of
   * quarantine.
   */
  PRODUCT_DB?: D1Database;
  RENEWALS_JOBS?: Job;
  PAYOUTS_JOBS?: Job;
  FEES_JOBS?: Job;
  NOTIFICATIONS_JOBS?: Job;
  SANDBOX_API_KEY: string;
  /** `whsec_` and base64. */
  SANDBOX_WEBHOOK_SECRET: string;
  /** The provider's own origin, another hostname than the product's. */
  SANDBOX_PUBLIC_URL: string;
  APP_ORIGIN: string;
};

/** The part of an ExecutionContext that is used. */
export type WaitUntilContext = { waitUntil(work: Promise<unknown>): void };
