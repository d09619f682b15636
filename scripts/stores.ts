import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import { readWranglerFile } from "./wrangler-file.ts";

/** The databases and files of the local product, without a worker that could be reached. */
export type Stores = {
  miniflare: Miniflare;
  db: D1Database;
  pspDb: D1Database;
  media: R2Bucket;
};

/**
 * Opens the stores of `dataDirectory` before the product starts, and before it is built. Whoever
 * opens them disposes of `miniflare`.
 */
export async function openStores(dataDirectory: string): Promise<Stores> {
  const product = readWranglerFile("app");
  const provider = readWranglerFile("sandbox-psp");
  const databases = [...product.d1_databases, ...provider.d1_databases];
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      cf: false,
      logRequests: false,
      telemetry: { enabled: false },
      resourcePersistencePath: dataDirectory,
      workers: [
        {
          name: "stores",
          modules: true,
          script: "export default { fetch: () => new Response(null, { status: 404 }) };",
          compatibilityDate: product.compatibility_date,
          d1Databases: Object.fromEntries(
            databases.map(({ binding, database_id }) => [binding, database_id]),
          ),
          r2Buckets: Object.fromEntries(
            product.r2_buckets.map(({ binding, bucket_name }) => [binding, bucket_name]),
          ),
        },
      ],
    }),
  );
  const { DB, PSP_DB, MEDIA } = await miniflare.getBindings<Record<string, unknown>>("stores");
  return {
    miniflare,
    db: DB as D1Database,
    pspDb: PSP_DB as D1Database,
    media: MEDIA as R2Bucket,
  };
}
