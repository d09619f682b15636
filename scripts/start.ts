import { dataDirectoryOf } from "./data-directory.ts";
import { serveUntilStopped } from "./serve-until-stopped.ts";

// Starts the whole product with its provider and its clock, and with data that persists.
await serveUntilStopped({
  defaultPort: 5173,
  dataDirectory: process.env.CORETO_DATA_DIRECTORY ?? dataDirectoryOf("start"),
});
