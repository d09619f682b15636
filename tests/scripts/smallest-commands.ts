import { readFileSync } from "node:fs";
import { inRoot } from "#scripts/paths.ts";

/**
 * How a documented command runs in its smallest size, and a line that it prints. `$DATABASE` is a
 * file of the product's database. `$TARGET` is a file that does not exist yet.
 */
export type Smallest = { says: RegExp; args?: string; exitCode?: number };

const TABLE = /Coreto +baseline +ratio +limit/;

/** Smallest commands, by the words that identify each command. */
export const SMALLEST: Record<string, Smallest> = {
  "npm run check": { args: "migrations", says: /^1 passed, 0 failed$/m },
  "npm run bench -- pages": { args: "--small", says: TABLE },
  "npm run bench -- cost": { args: "--small", says: TABLE },
  "npm run bench -- web": { args: "--small", says: TABLE },
  "npm run bench -- content": { args: "--small", says: TABLE },
  "npm run bench -- upload": { args: "--small", says: TABLE },
  "npm run bench -- payments": { args: "--small", says: TABLE },
  "npm run bench -- ledger": { args: "--small", says: TABLE },
  "npm run bench -- events": { args: "--small", says: TABLE },
  "npm run bench -- messages": { args: "--small", says: TABLE },
  "npm run bench -- notifications": { args: "--small", says: TABLE },
  "npm run bench -- analytics": { args: "--small", says: TABLE },
  "npm run bench -- memory": { args: "--small", says: TABLE },
  "npm run bench -- same-answer": { args: "--small", says: TABLE },
  "npm run ledger -- verify": {
    args: "--database $DATABASE",
    says: /^All 0 closed months hold\.$/m,
  },
  "npm run analytics -- rebuild": {
    args: "--from 2026-11-01 --database $DATABASE",
    says: /^\d+ days summed again\.$/m,
  },
  "npm run chaos -- --seed": { args: "1 --events 10", says: /^\s*Tests +1 passed/m },
  "npm run chaos -- messages": { args: "--seed 1 --events 10", says: /^\s*Tests +1 passed/m },
  "npm run chaos -- events": { args: "--seed 1 --events 10", says: /^\s*Tests +1 passed/m },
  "npm run chaos -- payouts": {
    args: "--seed 1 --batch 1 --twice 1 --kills 1 --payouts 2",
    says: /^passed in .* min: npm run chaos -- payouts --seed 1 /m,
  },
  "npm run test-mode -- stripe": { says: /^STRIPE_SECRET_KEY must be a key/m, exitCode: 1 },
  "npm run build": { says: /build\/deploy-[0-9a-f]{12}$/m },
  "npm run export-people": {
    args: "-- --from $DATABASE --to $TARGET",
    says: /^0 people written to /m,
  },
  "npm run db:generate": { says: /No schema changes, nothing to migrate/ },
};

/** Commands that another test or step runs. */
export const RUN_ELSEWHERE: Record<string, string> = {
  "npm test": "it runs this",
  "npm start": "tests/scripts/commands.e2e.test.ts",
  "npm run serve": "tests/e2e/process-kill.e2e.test.ts",
  "npm run reset": "tests/scripts/commands.e2e.test.ts",
  "npm run lint": "npm test runs those checks",
  "npm run typecheck": "npm test runs that check",
  "npm run test:days": "npm test runs two of its days",
};

const DOCUMENTS = ["README.md", "tests/README.md"];

/** Returns every command that package.json or a README names. */
export function documentedCommands(): string[] {
  const { scripts } = JSON.parse(readFileSync(inRoot("package.json"), "utf8")) as {
    scripts: Record<string, string>;
  };
  const named = Object.keys(scripts).map((name) =>
    name === "start" || name === "test" ? `npm ${name}` : `npm run ${name}`,
  );
  const written = DOCUMENTS.flatMap((document) =>
    [
      ...readFileSync(inRoot(document), "utf8").matchAll(
        /(?:^|`)(npm (?:start|test|run [^\s`#]+)(?: [^`#\n]+)?)/gm,
      ),
    ].map(([, command = ""]) => command.trim().replaceAll(/\s+/g, " ")),
  );
  return [...new Set([...named, ...written])];
}
