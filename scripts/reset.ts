import { rmSync } from "node:fs";
import { dataDirectoryOf, ownerOf } from "./data-directory.ts";

// Empties what `npm start` and `npm run serve` keep. The next start migrates and seeds again.
for (const name of ["start", "serve"]) {
  const directory = dataDirectoryOf(name);
  const owner = ownerOf(directory);
  if (owner !== null) {
    console.error(`${directory} is in use by process ${owner}: stop it first.`);
    process.exit(1);
  }
  rmSync(directory, { recursive: true, force: true });
  console.log(`Emptied ${directory}`);
}
