import { dataDirectoryOf } from "./data-directory.ts";
import { serveUntilStopped } from "./serve-until-stopped.ts";

// The built product on a port of its own: benchmarks and attacks use this one.
await serveUntilStopped({
  defaultPort: 4173,
  dataDirectory: process.env.CORETO_DATA_DIRECTORY ?? dataDirectoryOf("serve"),
});
