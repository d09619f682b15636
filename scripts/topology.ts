import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { convertV4MiniflareOptions } from "miniflare";
import type { MiniflareOptions, V4WorkerOptions } from "miniflare";
import { localPushKeys } from "./push-keys.ts";
import { withShiftedClock } from "./shifted-clock.ts";
import { readWranglerFile } from "./wrangler-file.ts";
import type { WranglerFile } from "./wrangler-file.ts";

/** The workers that are built and deployed, and the two that exist only locally. */
export const PRODUCT_WORKERS = [
  "app",
  "payment-webhooks",
  "fees",
  "renewals",
  "payouts",
  "notifications",
  "pictures",
  "live",
] as const;
export const LOCAL_WORKERS = ["local", "sandbox-psp"] as const;
export type WorkerName = (typeof PRODUCT_WORKERS)[number] | (typeof LOCAL_WORKERS)[number];
export const QUEUE_WORKERS: readonly WorkerName[] = PRODUCT_WORKERS.filter(
  (name) => name !== "app",
);

const CRON_JOBS = {
  RENEWALS_JOBS: "renewals",
  PAYOUTS_JOBS: "payouts",
  NOTIFICATIONS_JOBS: "notifications",
  FEES_JOBS: "fees",
} as const;

/** Public in this repository, so they are only for this machine. */
const LOCAL_VARIABLES = {
  MODE: "development",
  PAYMENT_PROVIDER: "sandbox",
  SANDBOX_API_KEY: "sk_sandbox_coreto_local",
  SANDBOX_WEBHOOK_SECRET: "whsec_Y29yZXRvLWxvY2FsLXdlYmhvb2stc2VjcmV0LTAwMDE=",
  AGE_CHECK_SECRET: "coreto-local-age-check-secret-of-no-value-elsewhere",
  AUTH_SECRET: "coreto-local-auth-secret-of-no-value-elsewhere",
  // What is still being built is shown here and hidden in a deployment (wrangler.toml).
  UNCOMPLETED_FEATURES: "true",
};

export type Topology = {
  host: string;
  port: number;
  sandboxPort: number;
  /** Where scripts/build.ts put the bundles. */
  buildDirectory: string;
  /** D1 and R2 live here between starts. */
  dataDirectory: string;
  env?: Record<string, string>;
  /**
   * Modules that precede the web worker's own; the first is its entry. For a bench that measures
   * the worker.
   */
  appModules?: { name: string; contents: string }[];
  /** The port of the runtime's inspector, for a bench that reads a worker's memory. */
  inspectorPort?: number;
  /** Receives the workers' log lines, instead of this process's output. */
  log?: (line: string) => void;
  /** How far every worker's clock is ahead of the machine's, for a test that runs at a set time. */
  clockOffsetMs?: number;
};

/** What is known before the product is built. */
export type UnbuiltTopology = Omit<Topology, "buildDirectory">;

export const originOf = (topology: UnbuiltTopology): string => `http://localhost:${topology.port}`;
export const sandboxOriginOf = (topology: UnbuiltTopology): string =>
  `http://127.0.0.1:${topology.sandboxPort}`;

/**
 * Builds Miniflare's options for the whole product in one process: each worker by its
 * wrangler.toml, and the local-only workers.
 */
export function miniflareOptions(topology: Topology): MiniflareOptions {
  const variables = localVariables(topology);
  const workers = [...LOCAL_WORKERS, ...PRODUCT_WORKERS].map((name) =>
    workerOptions(name, topology, variables),
  );
  return convertV4MiniflareOptions({
    host: topology.host,
    port: topology.port,
    cf: false,
    logRequests: false,
    telemetry: { enabled: false },
    ...(topology.inspectorPort ? { inspectorPort: topology.inspectorPort } : {}),
    ...(topology.log
      ? { handleStructuredLogs: ({ message }: { message: string }) => topology.log?.(message) }
      : {}),
    unsafeTriggerHandlers: true,
    resourcePersistencePath: topology.dataDirectory,
    workers,
  });
}

/** Lists each cron of each worker, for the ticker. */
export function crons(): { worker: WorkerName; cron: string }[] {
  return [...PRODUCT_WORKERS, "sandbox-psp" as const].flatMap((worker) =>
    readWranglerFile(worker).triggers.crons.map((cron) => ({ worker, cron })),
  );
}

/** The variables that every worker of the local product receives besides its own. */
export function localVariables(topology: UnbuiltTopology): Record<string, string> {
  return {
    ...LOCAL_VARIABLES,
    ...localPushKeys(topology.dataDirectory),
    APP_ORIGIN: originOf(topology),
    API_BASE_URL: `${originOf(topology)}/api/v1`,
    SANDBOX_PUBLIC_URL: sandboxOriginOf(topology),
    ...topology.env,
  };
}

function workerOptions(
  name: WorkerName,
  topology: Topology,
  variables: Record<string, string>,
): V4WorkerOptions {
  const file = readWranglerFile(name);
  return {
    name,
    ...bundleOf(name, topology.buildDirectory, modulesBefore(name, topology)),
    compatibilityDate: file.compatibility_date,
    compatibilityFlags: file.compatibility_flags,
    bindings: { ...file.vars, ...variables },
    ...storageOf(name, file),
    ...queuesOf(file),
    ...(file.assets ? { assets: assetsOf(file.assets, topology.buildDirectory) } : {}),
    serviceBindings: serviceBindings(name),
    ...(name === "sandbox-psp"
      ? {
          unsafeDirectSockets: [{ host: "127.0.0.1", port: topology.sandboxPort }],
        }
      : {}),
  };
}

function modulesBefore(name: WorkerName, { appModules = [], clockOffsetMs = 0 }: Topology) {
  const own = name === "app" ? appModules : [];
  return [...withShiftedClock(clockOffsetMs, own[0]?.name ?? "index.js"), ...own];
}

/** The modules of a built worker, as Miniflare takes them. */
export function bundleOf(
  name: WorkerName,
  buildDirectory: string,
  before: Topology["appModules"] = [],
) {
  const directory =
    name === "app" ? join(buildDirectory, "server") : join(buildDirectory, "workers", name);
  const files = readdirSync(directory, { recursive: true, encoding: "utf8" });
  const others = files.filter((file) => file.endsWith(".js") && file !== "index.js");
  const scripts = ["index.js", ...others].map((file) => ({
    type: "ESModule" as const,
    path: join(directory, file),
    contents: readFileSync(join(directory, file), "utf8"),
  }));
  const compiled = files
    .filter((file) => file.endsWith(".wasm"))
    .map((file) => ({
      type: "CompiledWasm" as const,
      path: join(directory, file),
      contents: readFileSync(join(directory, file)),
    }));
  const first = before.map(({ name: file, contents }) => ({
    type: "ESModule" as const,
    path: join(directory, file),
    contents,
  }));
  return { modulesRoot: directory, modules: [...first, ...scripts, ...compiled] };
}

function storageOf(name: WorkerName, file: WranglerFile) {
  const databases = file.d1_databases.map(({ binding, database_id }) => [binding, database_id]);
  // The console shows the product's emails, inbox and outbox.
  const seen = name === "sandbox-psp" ? [["PRODUCT_DB", "coreto"]] : [];
  return {
    d1Databases: Object.fromEntries([...databases, ...seen]),
    r2Buckets: Object.fromEntries(
      file.r2_buckets.map(({ binding, bucket_name }) => [binding, bucket_name]),
    ),
    ...(file.images ? { images: { binding: file.images.binding } } : {}),
    // Every script is named after the product and the worker.
    durableObjects: Object.fromEntries(
      file.durable_objects.bindings.map(({ name: binding, class_name: className, script_name }) => [
        binding,
        {
          className,
          useSQLite: true,
          ...(script_name ? { scriptName: script_name.replace("coreto-", "") } : {}),
        },
      ]),
    ),
    ratelimits: Object.fromEntries(
      file.ratelimits.map(({ name: binding, namespace_id, simple }) => [
        binding,
        { namespace_id, simple },
      ]),
    ),
  };
}

function queuesOf(file: WranglerFile) {
  return {
    queueProducers: Object.fromEntries(
      file.queues.producers.map(({ binding, queue }) => [binding, { queueName: queue }]),
    ),
    queueConsumers: Object.fromEntries(
      file.queues.consumers.map((consumer) => [
        consumer.queue,
        {
          maxBatchSize: consumer.max_batch_size,
          // Miniflare counts in whole seconds; locally a message should not wait for a batch.
          maxBatchTimeout: 0,
          maxRetries: consumer.max_retries,
          retryDelay: consumer.retry_delay,
          ...(consumer.dead_letter_queue ? { deadLetterQueue: consumer.dead_letter_queue } : {}),
        },
      ]),
    ),
  };
}

function assetsOf(assets: { binding: string; run_worker_first: string[] }, buildDirectory: string) {
  return {
    directory: join(buildDirectory, "client"),
    binding: assets.binding,
    run_worker_first: assets.run_worker_first,
    routerConfig: { has_user_worker: true },
  };
}

function serviceBindings(
  name: WorkerName,
): Record<string, string | { name: string; entrypoint: string }> {
  if (name === "local")
    return {
      APP: "app",
      PAYMENT_WEBHOOKS: "payment-webhooks",
      LIVE_PAGES: "live",
      SANDBOX_PSP: "sandbox-psp",
    };
  if (name === "sandbox-psp") {
    const jobs = Object.entries(CRON_JOBS).map(([binding, worker]) => [
      binding,
      { name: worker, entrypoint: "Jobs" },
    ]);
    return { FRONT: "local", ...Object.fromEntries(jobs) };
  }
  const ofEvery = {
    SANDBOX_PSP: "sandbox-psp",
    CLOCK: { name: "sandbox-psp", entrypoint: "Clock" },
  };
  return name === "app" ? { ...ofEvery, PICTURES: "pictures" } : ofEvery;
}
