import { dataDirectoryOf } from "./data-directory.ts";
import { serveUntilStopped } from "./serve-until-stopped.ts";

// Serves the built product on a separate port, for benchmarks and attack tests.
await serveUntilStopped({
  defaultPort: 4173,
  dataDirectory: process.env.CORETO_DATA_DIRECTORY ?? dataDirectoryOf("serve"),
});
