/** A worker's cron, reachable by service binding for the test clock. */
type Job = { run(cron: string): Promise<unknown> };

/** The bindings of the sandbox provider. Its API needs only PSP_DB and the four strings. */
export type SandboxEnv = {
  PSP_DB: D1Database;
  /** The product's front door; webhooks are posted through it. */
  FRONT?: { fetch(request: Request): Promise<Response> };
  /**
   * For the console: emails, inbox, outbox and what is due next. Its only write releases a row from
   * quarantine.
   */
  PRODUCT_DB?: D1Database;
  RENEWALS_JOBS?: Job;
  PAYOUTS_JOBS?: Job;
  FEES_JOBS?: Job;
  NOTIFICATIONS_JOBS?: Job;
  SANDBOX_API_KEY: string;
  /** `whsec_` followed by base64. */
  SANDBOX_WEBHOOK_SECRET: string;
  /** The queue of the email service, for what the local inbox reports about an email. */
  MAIL_EVENTS?: { send(message: object): Promise<unknown> };
  /** The provider's own origin, on another hostname than the product's. */
  SANDBOX_PUBLIC_URL: string;
  APP_ORIGIN: string;
};

/** The part of an ExecutionContext that is used. */
export type WaitUntilContext = { waitUntil(work: Promise<unknown>): void };
