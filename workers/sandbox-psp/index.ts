import { WorkerEntrypoint } from "cloudflare:workers";
import { productNow } from "./clock.ts";
import { tick } from "./due.ts";
import type { SandboxEnv } from "./env.ts";
import { handleSandbox } from "./handler.ts";
import { openPsp } from "./psp.ts";
import { SETTLES_AFTER_MS } from "./transfers.ts";

/** The product's clock, read over RPC by every worker of a local build. */
export class Clock extends WorkerEntrypoint<SandboxEnv> {
  async now(): Promise<number> {
    return productNow(this.env.PSP_DB);
  }
}

export default {
  async fetch(request, env, ctx) {
    const response = await handleSandbox(request, env, ctx);
    if (request.method === "POST" && new URL(request.url).pathname === "/v1/transfers")
      ctx.waitUntil(settleSoon(env, ctx));
    return response;
  },
  async scheduled(_controller, env, ctx) {
    await tick(await openPsp(env, ctx));
  },
} satisfies ExportedHandler<SandboxEnv>;

/** Settles transfers a moment later, as their bank does, without another request. */
async function settleSoon(env: SandboxEnv, ctx: ExecutionContext): Promise<void> {
  await scheduler.wait(SETTLES_AFTER_MS + 100);
  await tick(await openPsp(env, ctx));
}
