import { z } from "zod";

const count = z.coerce.number().int().min(0).max(1_000);

/** The deliberate failures. By default all are zero or false. */
export const chaosSchema = z.object({
  /** Extra deliveries of each event. */
  duplicate: count.max(20).default(0),
  /** Deliveries are collected for a moment and sent newest first. */
  reorder: z.boolean().default(false),
  /** Milliseconds before a delivery is sent. */
  delay_ms: count.max(600_000).default(0),
  /** The next so many events are never delivered. */
  drop: count.default(0),
  /** With each event, the object's first event is sent again with a new signature. */
  stale_replay: z.boolean().default(false),
  /** The next so many API calls answer 500 without an effect. */
  api_errors: count.default(0),
  /** The chance of a 500 for every API call, in per cent. */
  api_error_percent: count.max(100).default(0),
  /** The next so many API calls answer 429 with Retry-After, without an effect. */
  rate_limits: count.default(0),
  /** The next so many API calls take effect, and answer invalid JSON. */
  malformed: count.default(0),
  /** Milliseconds of delay before an API call answers. */
  slow_ms: count.max(60_000).default(0),
  /** The next so many writes take effect, and answer 504. */
  timeouts: count.default(0),
  /** The chance of a 504 after the effect for every write, in per cent. */
  timeout_percent: count.max(100).default(0),
  /** The account is empty: the balance is 0, and transfers are refused. */
  no_balance: z.boolean().default(false),
});

export type Chaos = z.infer<typeof chaosSchema>;

export const noChaos: Chaos = chaosSchema.parse({});

/** Parses stored chaos settings from JSON; unreadable text means no chaos. */
export function parseChaos(text: string | undefined): Chaos {
  if (!text) return noChaos;
  const parsed = chaosSchema.safeParse(JSON.parse(text));
  return parsed.success ? parsed.data : noChaos;
}
