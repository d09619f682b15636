import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { inRoot } from "#scripts/paths.ts";
import { PRODUCT_WORKERS } from "#scripts/topology.ts";
import { readWranglerFile } from "#scripts/wrangler-file.ts";

const text = readFileSync(inRoot("docs", "deploy.md"), "utf8");
const files = PRODUCT_WORKERS.map((worker) => readWranglerFile(worker));
const namesOf = (pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map(([, name = ""]) => name);

describe("the page about deploying", () => {
  test("has a row for each worker that is deployed", () => {
    const rows = namesOf(/^\| `(coreto-[a-z-]+)` /gm);
    expect(rows.toSorted()).toEqual(files.map(({ name }) => name).toSorted());
  });

  test("names each bucket and queue that the workers' files name", () => {
    const queues = files.flatMap(({ queues: { producers, consumers } }) =>
      [...producers, ...consumers].map(({ queue }) => queue),
    );
    const buckets = files.flatMap(({ r2_buckets }) => r2_buckets.map((one) => one.bucket_name));
    const dead = files.flatMap(({ queues: { consumers } }) =>
      consumers.map((one) => one.dead_letter_queue),
    );
    for (const name of [...queues, ...buckets]) expect(text).toContain(`\`${name}\``);
    expect(dead.every((name) => name?.endsWith("-dead"))).toBe(true);
    const count = new Set(queues).size;
    expect(text).toContain(`${["", "one", "two", "three", "four", "five", "six"][count]} queues`);
  });
});
