import type { Env } from "#app/configuration/env.ts";
import { withTransportHeaders } from "#app/lib/transport-headers.ts";
import { listen } from "./listen.ts";

export { LiveTopic } from "./topic.ts";

/** The worker to which open pages connect for live updates: /live/<topic>?until=…&ticket=… */
export default {
  fetch: async (request, env) => withTransportHeaders(await listen(request, env)),
} satisfies ExportedHandler<Env>;
