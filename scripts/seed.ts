import { seed as seedWorld } from "#drizzle/seed.ts";
import type { SeedHandles } from "./local-product.ts";

/** Fills the running, empty product with the seeded demo data. */
export async function seed({ app, sandbox, origin, report }: SeedHandles): Promise<void> {
  await seedWorld({
    db: app.DB as D1Database,
    media: app.MEDIA as R2Bucket,
    pspDb: sandbox.PSP_DB as D1Database,
    sandboxApiKey: String(sandbox.SANDBOX_API_KEY),
    sandboxOrigin: String(sandbox.SANDBOX_PUBLIC_URL),
    appOrigin: origin,
    uncompletedFeatures: app.UNCOMPLETED_FEATURES === "true",
    log: report,
  });
}
