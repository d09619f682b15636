import type { Env } from "#app/env.ts";
import { listen } from "./listen.ts";

export { LiveTopic } from "./topic.ts";

/** Where open pages listen for what changes: /live/<topic>?until=…&ticket=… */
export default {
  fetch: (request, env) => listen(request, env),
} satisfies ExportedHandler<Env>;
