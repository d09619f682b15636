type FrontDoorEnv = { APP: Fetcher; PAYMENT_WEBHOOKS: Fetcher; LIVE_PAGES: Fetcher; SANDBOX_PSP: Fetcher };

/** The front door: sends each path to the worker that the edge's routes would send it to. */
export default {
  fetch(request: Request, env: FrontDoorEnv): Promise<Response> {
    return workerOf(new URL(request.url).pathname, env).fetch(request);
  },
} satisfies ExportedHandler<FrontDoorEnv>;

function workerOf(path: string, env: FrontDoorEnv): Fetcher {
  if (path.startsWith("/webhooks/")) return env.PAYMENT_WEBHOOKS;
  if (path.startsWith("/live/")) return env.LIVE_PAGES;
  if (path === "/sandbox" || path.startsWith("/sandbox/")) return env.SANDBOX_PSP;
  return env.APP;
}
