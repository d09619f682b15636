import { rmSync } from "node:fs";
import { dataDirectoryOf, ownerOf } from "./data-directory.ts";

// Deletes the stored data of `npm start` and `npm run serve`. The next start migrates and seeds
// again.
const given = process.env.CORETO_DATA_DIRECTORY;
for (const directory of given ? [given] : ["start", "serve"].map(dataDirectoryOf)) {
  const owner = ownerOf(directory);
  if (owner !== null) {
    console.error(`${directory} is in use by process ${owner}: stop it first.`);
    process.exit(1);
  }
  rmSync(directory, { recursive: true, force: true });
  console.log(`Emptied ${directory}`);
}
