import { readFileSync } from "node:fs";
import { parse } from "smol-toml";
import { z } from "zod";
import { inRoot } from "./paths.ts";

const producer = z.object({ binding: z.string(), queue: z.string() });
const consumer = z.object({
  queue: z.string(),
  max_batch_size: z.number().default(10),
  max_batch_timeout: z.number().default(1),
  max_retries: z.number().default(3),
  retry_delay: z.number().default(0),
  dead_letter_queue: z.string().optional(),
});

const wranglerFile = z.object({
  name: z.string(),
  main: z.string(),
  compatibility_date: z.string(),
  compatibility_flags: z.array(z.string()).default([]),
  vars: z.record(z.string(), z.string()).default({}),
  d1_databases: z
    .array(z.object({ binding: z.string(), database_id: z.string(), migrations_dir: z.string() }))
    .default([]),
  r2_buckets: z.array(z.object({ binding: z.string(), bucket_name: z.string() })).default([]),
  durable_objects: z
    .object({
      bindings: z.array(
        z.object({ name: z.string(), class_name: z.string(), script_name: z.string().optional() }),
      ),
    })
    .default({ bindings: [] }),
  images: z.object({ binding: z.string() }).optional(),
  ratelimits: z
    .array(
      z.object({
        name: z.string(),
        namespace_id: z.string(),
        simple: z.object({ limit: z.number(), period: z.union([z.literal(10), z.literal(60)]) }),
      }),
    )
    .default([]),
  queues: z
    .object({ producers: z.array(producer).default([]), consumers: z.array(consumer).default([]) })
    .default({ producers: [], consumers: [] }),
  triggers: z.object({ crons: z.array(z.string()).default([]) }).default({ crons: [] }),
  assets: z.object({ binding: z.string(), run_worker_first: z.array(z.string()) }).optional(),
});

/** The part of a worker's wrangler.toml that the local product needs. */
export type WranglerFile = z.infer<typeof wranglerFile>;

/** Reads and checks the wrangler.toml of a worker; the web worker's is at the root. */
export function readWranglerFile(worker: string): WranglerFile {
  const path =
    worker === "app" ? inRoot("wrangler.toml") : inRoot("workers", worker, "wrangler.toml");
  return wranglerFile.parse(parse(readFileSync(path, "utf8")));
}
