import type { Env } from "#app/configuration/env.ts";
import { listen } from "./listen.ts";

export { LiveTopic } from "./topic.ts";

/** The worker to which open pages connect for live updates: /live/<topic>?until=…&ticket=… */
export default {
  fetch: (request, env) => listen(request, env),
} satisfies ExportedHandler<Env>;
