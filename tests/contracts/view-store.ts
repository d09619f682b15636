import { beforeEach, expect, test } from "vitest";
import type { ViewPoint, ViewStore } from "#app/domain/analytics/views/schema.ts";
import { HOUR_MS } from "#app/domain/time.ts";

export const VIEWS_AT = Date.parse("2026-11-11T15:00:00Z");
const RANGE = {
  timeZone: "America/Sao_Paulo",
  from: VIEWS_AT - HOUR_MS,
  until: VIEWS_AT + HOUR_MS,
};

const ANA = ["ana"];

export const viewPoint = (change: Partial<ViewPoint> = {}): ViewPoint => ({
  creatorId: "ana",
  timeZone: "America/Sao_Paulo",
  subject: "page",
  kind: "view",
  visitor: "v1",
  referrer: "",
  campaign: "",
  link: "",
  device: "phone",
  country: "BR",
  value: 1,
  ...change,
});

/** What every store of views must do. `open` gives an empty one. */
export function viewStoreContract(open: () => Promise<ViewStore>): void {
  let store: ViewStore;
  beforeEach(async () => {
    store = await open();
  });
  const record = async (...points: Partial<ViewPoint>[]) => {
    for (const point of points) await store.record(viewPoint(point), VIEWS_AT);
  };

  test("views and visitors are summed by subject and together", async () => {
    await record({}, {}, { visitor: "v2" }, { subject: "p1", visitor: "v2" });
    const sums = await store.sums(RANGE, ANA);
    expect(sums).toHaveLength(3);
    expect(sums).toEqual(
      expect.arrayContaining([
        { creatorId: "ana", subject: "page", kind: "view", count: 3, visitors: 2 },
        { creatorId: "ana", subject: "p1", kind: "view", count: 1, visitors: 1 },
        { creatorId: "ana", subject: null, kind: "view", count: 4, visitors: 2 },
      ]),
    );
  });

  test("plays are apart from views", async () => {
    await record({ subject: "p1", kind: "play" });
    expect(await store.sums(RANGE, ANA)).toEqual([
      { creatorId: "ana", subject: "p1", kind: "play", count: 1, visitors: 1 },
      { creatorId: "ana", subject: null, kind: "play", count: 1, visitors: 1 },
    ]);
    expect(await store.sourceSums(RANGE, ANA)).toEqual([]);
  });

  test("another zone and another time are not in the range", async () => {
    await record({ timeZone: "Europe/Lisbon" });
    await store.record(viewPoint(), VIEWS_AT - 2 * HOUR_MS);
    await store.record(viewPoint(), RANGE.until);
    expect(await store.sums(RANGE, ANA)).toEqual([]);
  });

  test("sources are summed by dimension, without the unknown ones", async () => {
    await record({ referrer: "t.co" }, { referrer: "t.co", visitor: "v2" }, { campaign: "turnê" });
    expect(await store.sourceSums(RANGE, ANA)).toEqual(
      expect.arrayContaining([
        { creatorId: "ana", dimension: "referrer", value: "t.co", count: 2, visitors: 2 },
        { creatorId: "ana", dimension: "campaign", value: "turnê", count: 1, visitors: 1 },
        { creatorId: "ana", dimension: "device", value: "phone", count: 3, visitors: 2 },
        { creatorId: "ana", dimension: "country", value: "BR", count: 3, visitors: 2 },
      ]),
    );
  });

  test("text of a visitor never becomes part of a query", async () => {
    await record({ referrer: "x' OR 1=1 --", campaign: "'); DROP TABLE coreto_views; --" });
    expect((await store.sums(RANGE, ANA)).at(-1)).toMatchObject({ count: 1 });
    await expect(store.sums({ ...RANGE, timeZone: "x' OR '1'='1" }, ANA)).rejects.toThrow(
      /time zone/,
    );
  });

  test("an id that is none never becomes part of a query", async () => {
    await expect(store.sums(RANGE, ["x' OR '1'='1"])).rejects.toThrow(/not an id/);
  });

  test("creators come in pages, in order, each once, and none of another range", async () => {
    for (const creatorId of ["c", "a", "b", "a"]) await record({ creatorId });
    await store.record(viewPoint({ creatorId: "z" }), VIEWS_AT - 2 * HOUR_MS);
    expect(await store.creators(RANGE, { after: null, limit: 2 })).toEqual(["a", "b"]);
    expect(await store.creators(RANGE, { after: "b", limit: 2 })).toEqual(["c"]);
    expect(await store.creators(RANGE, { after: "c", limit: 2 })).toEqual([]);
  });

  test("sums are of the creators that were asked for", async () => {
    await record({ creatorId: "ana" }, { creatorId: "bia" }, { creatorId: "caio" });
    const sums = await store.sums(RANGE, ["ana", "caio"]);
    expect(new Set(sums.map(({ creatorId }) => creatorId))).toEqual(new Set(["ana", "caio"]));
  });

  test("reading time and how far a file was played are no views", async () => {
    await record({ subject: "p1", kind: "read", value: 30 });
    await record({ subject: "p1", kind: "read", value: 90, visitor: "v2" });
    await record(
      { subject: "p1", kind: "reach", value: 20 },
      { subject: "p1", kind: "reach", value: 4 },
    );
    expect(await store.sums(RANGE, ANA)).toEqual([]);
    expect(await store.readSums(RANGE, ANA)).toEqual([
      { creatorId: "ana", subject: "p1", reads: 2, seconds: 120 },
    ]);
    expect((await store.reachSums(RANGE, ANA)).toSorted((a, b) => a.step - b.step)).toEqual([
      { creatorId: "ana", subject: "p1", step: 4, plays: 1 },
      { creatorId: "ana", subject: "p1", step: 20, plays: 1 },
    ]);
  });
}
