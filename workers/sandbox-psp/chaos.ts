import { z } from "zod";

const count = z.coerce.number().int().min(0).max(1_000);

/** What may go wrong on purpose. Everything at rest is zero or false. */
export const chaosSchema = z.object({
  /** Extra deliveries of each event. */
  duplicate: count.max(20).default(0),
  /** Deliveries pile up for a moment and leave newest first. */
  reorder: z.boolean().default(false),
  /** Milliseconds before a delivery leaves. */
  delay_ms: count.max(600_000).default(0),
  /** The next so many events are never delivered. */
  drop: count.default(0),
  /** With each event, the object's first one is sent again, freshly signed. */
  stale_replay: z.boolean().default(false),
  /** The next so many API calls answer 500 and do nothing. */
  api_errors: count.default(0),
  /** The chance of a 500 for every API call, in per cent. */
  api_error_percent: count.max(100).default(0),
  /** The next so many API calls answer 429 with Retry-After, and do nothing. */
  rate_limits: count.default(0),
  /** The next so many API calls do what was asked and answer what is not JSON. */
  malformed: count.default(0),
  /** Milliseconds before an API call answers what it did. */
  slow_ms: count.max(60_000).default(0),
  /** The next so many writes happen, and answer 504. */
  timeouts: count.default(0),
  /** The chance of a 504 after the effect for every write, in per cent. */
  timeout_percent: count.max(100).default(0),
  /** The account is empty: the balance says 0, and no transfer is taken. */
  no_balance: z.boolean().default(false),
});

export type Chaos = z.infer<typeof chaosSchema>;

export const noChaos: Chaos = chaosSchema.parse({});

/** The chaos stored as JSON; anything unreadable is calm. */
export function parseChaos(text: string | undefined): Chaos {
  if (!text) return noChaos;
  const parsed = chaosSchema.safeParse(JSON.parse(text));
  return parsed.success ? parsed.data : noChaos;
}
