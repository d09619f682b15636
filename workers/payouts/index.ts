import { z } from "zod";
import { jobOf } from "#workers/job.ts";
import { invoiceQuietly, pushPayout, reconcileQuietly, runPayouts, sealBooks, watchBooks } from "./run.ts";

const { worker, Jobs } = jobOf({
  schema: z.object({ version: z.literal(1), type: z.enum(["payout.claim", "payout.send"]), id: z.string().max(64) }),
  run: pushPayout,
  async cron(ctx) {
    // The books first: what is broken in them holds the payouts of this very run.
    await watchBooks(ctx);
    await runPayouts(ctx);
    await sealBooks(ctx);
    await invoiceQuietly(ctx);
    await reconcileQuietly(ctx);
  },
});

export default worker;
export { Jobs };
