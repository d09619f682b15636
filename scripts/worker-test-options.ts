import { inRoot } from "./paths.ts";
import { localVariables } from "./topology.ts";
import { readWranglerFile } from "./wrangler-file.ts";

/**
 * Packages of many modules that the tests in workerd import, with every entry of theirs that is
 * used: one instance of each.
 */
export const BUNDLED_PACKAGES = [
  "@cantoo/pdf-lib",
  "@clerk/backend",
  "@simplewebauthn/server",
  "drizzle-orm",
  "drizzle-orm/d1",
  "drizzle-orm/sqlite-core",
  "fast-check",
  "fast-xml-parser",
  "libphonenumber-js/max",
  "lucide-react",
  "markdown-it",
  "parse5",
  "stripe",
  "viem/accounts",
  "viem/siwe",
  "viem/utils",
  "better-auth > jose",
  "zod",
];

/**
 * The bindings of a `*.worker.test.ts` file: the web worker's own, the sandbox provider's database,
 * and the local variables.
 */
export function workerTestOptions(more: Record<string, unknown>) {
  const app = readWranglerFile("app");
  const variables = localVariables({
    host: "127.0.0.1",
    port: 4173,
    sandboxPort: 4174,
    dataDirectory: "",
    env: { MODE: "test" },
  });
  return {
    // Otherwise workerd prints a line and a stack for each call that a test breaks on purpose.
    verbose: false,
    // Only its Durable Object is used: a test can evict one of the main worker alone.
    main: inRoot("workers", "live", "index.ts"),
    miniflare: {
      compatibilityDate: app.compatibility_date,
      compatibilityFlags: [...new Set([...app.compatibility_flags, "nodejs_compat"])],
      cf: false,
      bindings: { ...app.vars, ...variables, ...more } as Record<string, never>,
      d1Databases: { DB: "coreto-test", PSP_DB: "coreto-test-psp" },
      durableObjects: { LIVE_TOPICS: { className: "LiveTopic", useSQLite: true } },
      r2Buckets: { MEDIA: "coreto-test-media" },
      images: { binding: "IMAGES" },
      email: { send_email: [{ name: "EMAIL" }] },
      ratelimits: Object.fromEntries(
        app.ratelimits.map(({ name, namespace_id, simple }) => [name, { namespace_id, simple }]),
      ),
      queueProducers: Object.fromEntries(
        app.queues.producers.map(({ binding, queue }) => [binding, { queueName: queue }]),
      ),
    },
  };
}
