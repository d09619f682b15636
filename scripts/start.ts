import { dataDirectoryOf } from "./data-directory.ts";
import { serveUntilStopped } from "./serve-until-stopped.ts";

// For whoever wants to see Coreto: the whole product, its provider and its clock, with data that
// stays.
await serveUntilStopped({
  defaultPort: 5173,
  dataDirectory: process.env.CORETO_DATA_DIRECTORY ?? dataDirectoryOf("start"),
});
