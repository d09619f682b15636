import { afterEach, expect, test, vi } from "vitest";
import { openDatabase } from "#app/db/client.server.ts";
import { cloudflareDataset } from "#app/integrations/analytics-engine/cloudflare-dataset.server.ts";
import { localDataset } from "#app/integrations/analytics-engine/local-dataset.server.ts";
import { viewStore } from "#app/integrations/analytics-engine/points.server.ts";
import { coretoViews } from "#drizzle/schema/analytics.ts";
import { viewStoreContract, VIEWS_AT } from "#tests/contracts/view-store.ts";
import { testEnv } from "#tests/support/worker-env.ts";

const db = openDatabase(testEnv.DB);
const asked: { url: string; authorization: string | null }[] = [];
afterEach(() => vi.unstubAllGlobals());

/**
 * The SQL API as its public reference describes it: a POST of the query, JSON with the rows, large
 * integers as text.
 */
function openDouble({ status = 200 } = {}) {
  const points = localDataset(db, () => 1);
  let writing: Promise<unknown> = Promise.resolve();
  let at = VIEWS_AT;
  vi.stubGlobal("fetch", async (url: string, init: RequestInit) => {
    asked.push({ url, authorization: new Headers(init.headers).get("Authorization") });
    if (status !== 200) return new Response("no", { status });
    await writing;
    const text = String(init.body).replaceAll(/toDateTime\((\d+)\)/g, "$1");
    const data = (await points.query(text)).map((row) =>
      Object.fromEntries(
        Object.entries(row).map(([name, value]) => [
          name,
          typeof value === "number" ? String(value) : value,
        ]),
      ),
    );
    return Response.json({ meta: [], data, rows: data.length });
  });
  const dataset = cloudflareDataset({
    binding: {
      writeDataPoint: ({ indexes, blobs, doubles }) => {
        const pointAt = at;
        writing = writing.then(() =>
          points.writeDataPoint({ indexes: [indexes[0] ?? ""], blobs, doubles }, pointAt),
        );
      },
    },
    accountId: "account",
    apiToken: "token",
    apiUrl: "https://api.example.test/v4",
  });
  // The platform stamps the time of the write itself.
  const store = viewStore(dataset);
  return {
    ...store,
    record: (point: Parameters<typeof store.record>[0], stamped: number) => {
      at = stamped;
      return store.record(point, stamped);
    },
  };
}

viewStoreContract(async () => {
  await db.delete(coretoViews);
  return openDouble();
});

const RANGE = { timeZone: "America/Sao_Paulo", from: VIEWS_AT, until: VIEWS_AT + 1 };

test("the account's API is asked with the token", async () => {
  asked.length = 0;
  await openDouble().sums(RANGE, ["ana"]);
  expect(asked[0]).toEqual({
    url: "https://api.example.test/v4/accounts/account/analytics_engine/sql",
    authorization: "Bearer token",
  });
});

test("an API that refuses fails the sum, so that it is made again later", async () => {
  await expect(openDouble({ status: 503 }).sums(RANGE, ["ana"])).rejects.toThrow(/503/);
});
