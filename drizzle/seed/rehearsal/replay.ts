import type { SQLInputValue } from "node:sqlite";
import type { WriteMade } from "./sqlite-d1.ts";

/**
 * Statements sent in one go: each prepared statement would be a round trip of its own from Node to
 * workerd, a text is one.
 */
const CHARACTERS_AT_ONCE = 400_000;

/**
 * Connects to a D1 of another process again. Miniflare closes a connection that waited for long,
 * such as while this process lived a town, and the first request after that may fail.
 */
async function reconnect(db: D1Database): Promise<void> {
  try {
    await db.exec("SELECT 1");
  } catch {
    await db.exec("SELECT 1");
  }
}

/**
 * Makes on a real D1 the writes of a rehearsal, in their order and through the same triggers. What
 * was one transaction stays in one: D1 runs everything of one `exec` together.
 */
export async function replay(db: D1Database, writes: readonly WriteMade[][]): Promise<void> {
  await reconnect(db);
  let lines: string[] = [];
  let characters = 0;
  const send = async (): Promise<void> => {
    if (lines.length > 0) await db.exec(lines.join("\n"));
    lines = [];
    characters = 0;
  };
  for (const batch of writes) {
    for (const write of batch) {
      const text = lineOf(write);
      lines.push(text);
      characters += text.length;
    }
    if (characters >= CHARACTERS_AT_ONCE) await send();
  }
  await send();
}

/**
 * A statement on one line, as `exec` wants it, its values written into it. Strings and quoted names
 * are left as they are.
 */
function lineOf({ query, values }: WriteMade): string {
  let next = 0;
  const text = query.replaceAll(/'(?:[^']|'')*'|"(?:[^"]|"")*"|\?/g, (token) =>
    token === "?" ? literalOf(values[next++] ?? null) : token,
  );
  return `${text.replaceAll(/\s*\n\s*/g, " ")};`;
}

function literalOf(value: SQLInputValue): string {
  if (value === null) return "NULL";
  if (typeof value === "number" || typeof value === "bigint") return String(value);
  if (typeof value !== "string") throw new Error("the seed writes no blobs");
  const quoted = `'${value.replaceAll("'", "''")}'`;
  return quoted.includes("\n") ? `(${quoted.split("\n").join("' || char(10) || '")})` : quoted;
}
