import { sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import type { Database } from "./client.server.ts";
import { prepareReads } from "./prepared-reads.ts";

type ReadStatements = readonly BatchItem<"sqlite">[];
/** What the statements of a page take from the domain's Context. */
type ReadContext = { db: Database; now(): number; settings: { adultSpaces: boolean } };

/**
 * Prepares the statements of a page, whose SQL is built once per isolate. `build` writes them with
 * the functions that also build a statement for one request. So the values of a request are
 * placeholders that pass as text: `value(name)`, and the time. They can only become values in SQL.
 * To calculate with one in JavaScript is refused when it is built.
 */
export function preparePageReads<Ctx extends ReadContext, const Asked extends ReadStatements>(
  build: (ctx: Ctx, value: (name: string) => string) => Asked,
) {
  const readsFor = (adultSpaces: boolean) =>
    prepareReads((db) => {
      const ctx = { db, now: () => placeholder<number>("now"), settings: { adultSpaces } };
      const asked = build(ctx as unknown as Ctx, placeholder<string>);
      for (const statement of asked) refuseCalculated(statement);
      return asked;
    });
  const reads = { true: readsFor(true), false: readsFor(false) };
  return (ctx: Ctx, values: Record<string, string>) =>
    reads[`${ctx.settings.adultSpaces}`](ctx.db, { ...values, now: ctx.now() });
}

const placeholder = <Value>(name: string): Value => sql.placeholder(name) as unknown as Value;

/** A placeholder in a calculation gives no number, and in a text the name of its type. */
function refuseCalculated(statement: ReadStatements[number]): void {
  const { sql: text, params } = (
    statement as unknown as { toSQL(): { sql: string; params: unknown[] } }
  ).toSQL();
  const isCalculated = (value: unknown) =>
    Number.isNaN(value) || (typeof value === "string" && value.includes("[object"));
  if (params.some(isCalculated))
    throw new Error(`A placeholder was calculated with: ${text.slice(0, 200)}…`);
}
