/**
 * Gives each column of a SELECT a unique name. D1 returns the rows of a batch as objects by column
 * name, so that equal names collapse. Drizzle reads rows by position, and would then mix up fields.
 * Only the outermost list of a drizzle SELECT changes; other statements stay as they are.
 */
export function withUniqueNames(sql: string): string {
  const cachedNames = NAMED.get(sql);
  if (cachedNames !== undefined) return cachedNames;
  if (NAMED.size >= CACHED_AT_MOST) NAMED.clear();
  const named = renamed(sql);
  NAMED.set(sql, named);
  return named;
}

/**
 * An application has few query texts; each is parsed once. Lists of varying length make more, so
 * that a full cache is cleared.
 */
const CACHED_AT_MOST = 500;
const NAMED = new Map<string, string>();

function renamed(sql: string): string {
  const list = listOf(sql);
  if (list === null) return sql;
  const seen = new Set<string>();
  const items = list.items.map((item, index) => {
    const name = outputName(item);
    if (!seen.has(name)) {
      seen.add(name);
      return item;
    }
    return / as "[^"]+"$/i.test(item) ? item : `${item} as "${name}__${index}"`;
  });
  return `${list.head}${items.join(", ")}${list.rest}`;
}

/** Counts the columns of a drizzle SELECT; 0 for every other statement. */
export function columnsOf(sql: string): number {
  return listOf(sql)?.items.length ?? 0;
}

/** Splits a drizzle SELECT into its outermost list and the text before and after it. */
function listOf(sql: string): { head: string; items: string[]; rest: string } | null {
  const head = /^select (?:distinct )?/.exec(sql)?.[0];
  const end = head === undefined ? null : endOfList(sql, head.length);
  if (head === undefined || end === null) return null;
  return { head, items: splitList(sql.slice(head.length, end)), rest: sql.slice(end) };
}

/** Returns the name that SQLite gives the column: its alias, its own name, or the text itself. */
function outputName(item: string): string {
  return (
    / as "([^"]+)"$/i.exec(item)?.[1] ??
    /^(?:"[^"]+"\.)?"([^"]+)"$/.exec(item)?.[1] ??
    item.replaceAll('"', "")
  );
}

/** Finds the end of the outermost list: the first ` from ` outside brackets and quotes. */
function endOfList(sql: string, start: number): number | null {
  for (const { index, isOutside } of outside(sql, start)) {
    if (isOutside && sql.startsWith(" from ", index)) return index;
  }
  return null;
}

function splitList(list: string): string[] {
  const items: string[] = [];
  let from = 0;
  for (const { index, isOutside } of outside(list, 0)) {
    if (isOutside && list.startsWith(", ", index)) {
      items.push(list.slice(from, index));
      from = index + 2;
    }
  }
  return [...items, list.slice(from)];
}

function* outside(sql: string, start: number): Generator<{ index: number; isOutside: boolean }> {
  let depth = 0;
  let quote = "";
  for (let index = start; index < sql.length; index += 1) {
    const letter = sql.charAt(index);
    if (quote) {
      if (letter === quote) quote = "";
    } else if (letter === '"' || letter === "'" || letter === "`") quote = letter;
    else if (letter === "(") depth += 1;
    else if (letter === ")") depth -= 1;
    yield { index, isOutside: depth === 0 && quote === "" };
  }
}
