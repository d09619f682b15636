import { creatorPage } from "#bench/creator-page.ts";
import { table } from "#bench/frame.ts";
import type { Measurement } from "#bench/frame.ts";

const BENCHES: Record<string, () => Promise<Measurement[]>> = { "creator-page": creatorPage };

// npm run bench -- creator-page [--json]
const json = process.argv.includes("--json");
const names = process.argv.slice(2).filter((argument) => !argument.startsWith("--"));
const unknown = names.filter((name) => !(name in BENCHES));
if (names.length === 0 || unknown.length > 0) {
  console.error(`npm run bench -- NAME [--json], where NAME is one of: ${Object.keys(BENCHES).join(", ")}`);
  process.exit(1);
}
const measured: Measurement[] = [];
for (const name of names) measured.push(...((await BENCHES[name]?.()) ?? []));
console.log(json ? JSON.stringify(measured) : table(measured));
