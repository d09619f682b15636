import { faultText } from "#app/db/errors.ts";
import { composeContext, log } from "#app/compose.server.ts";
import type { Env } from "#app/configuration/env.ts";
import { isClerkConfigured } from "#app/lib/clerk.ts";
import { withTransportHeaders } from "#app/lib/transport-headers.ts";
import { receiveClerkWebhook } from "./receive-clerk.ts";
import { receiveWebhook } from "./receive.ts";

export default {
  async fetch(request, env) {
    try {
      const { ctx } = await composeContext(env);
      const clerkSecret = isClerkConfigured(env) ? env.CLERK_WEBHOOK_SIGNING_SECRET : undefined;
      const isClerk = new URL(request.url).pathname === "/webhooks/clerk";
      return withTransportHeaders(
        clerkSecret && isClerk
          ? await receiveClerkWebhook(ctx, clerkSecret, request)
          : await receiveWebhook(ctx, request),
      );
    } catch (error) {
      // The provider sends it again, since any status other than 200 means that we do not have it.
      log("webhooks.failed", { error: faultText(error) });
      return withTransportHeaders(new Response("try again\n", { status: 500 }));
    }
  },
} satisfies ExportedHandler<Env>;
