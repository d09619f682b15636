import { LOCAL_AGE_CHECK_PATH } from "#app/integrations/age-check/local.server.ts";
import { answerAgeCheck } from "./age-check.ts";

type FrontDoorEnv = {
  APP: Fetcher;
  PAYMENT_WEBHOOKS: Fetcher;
  LIVE_PAGES: Fetcher;
  SANDBOX_PSP: Fetcher;
  AGE_CHECK_PROVIDER?: string;
  AGE_CHECK_SECRET?: string;
};

/** The local front door: routes each path to the worker that the edge's routes would choose. */
export default {
  async fetch(request: Request, env: FrontDoorEnv): Promise<Response> {
    const { pathname } = new URL(request.url);
    const { AGE_CHECK_SECRET: secret } = env;
    if (
      pathname.startsWith(`${LOCAL_AGE_CHECK_PATH}/`) &&
      env.AGE_CHECK_PROVIDER === "local" &&
      secret
    )
      return await answerAgeCheck(request, { secret, now: Date.now() });
    return await workerOf(pathname, env).fetch(request);
  },
} satisfies ExportedHandler<FrontDoorEnv>;

function workerOf(path: string, env: FrontDoorEnv): Fetcher {
  if (path.startsWith("/webhooks/")) return env.PAYMENT_WEBHOOKS;
  if (path.startsWith("/live/")) return env.LIVE_PAGES;
  if (path === "/sandbox" || path.startsWith("/sandbox/")) return env.SANDBOX_PSP;
  return env.APP;
}
