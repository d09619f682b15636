import { expect, test } from "vitest";
import { isRangeCurrent, matchesEtag, parseRange } from "#app/http/files/byte-range.ts";

const WHOLE = { kind: "whole" };
const part = (first: number, last: number) => ({ kind: "part", first, last });
const UNSATISFIABLE = { kind: "unsatisfiable" };

test.each([
  [null, WHOLE],
  ["bytes=0-0", part(0, 0)],
  ["bytes=0-99", part(0, 99)],
  ["bytes=0-1000", part(0, 99)],
  ["bytes=99-", part(99, 99)],
  ["bytes=10-19", part(10, 19)],
  ["BYTES=10-19", part(10, 19)],
  ["bytes=-1", part(99, 99)],
  ["bytes=-100", part(0, 99)],
  ["bytes=-500", part(0, 99)],
  ["bytes=100-", UNSATISFIABLE],
  ["bytes=100-200", UNSATISFIABLE],
  ["bytes=-0", UNSATISFIABLE],
  ["bytes=20-10", UNSATISFIABLE],
  ["bytes=-", UNSATISFIABLE],
  ["bytes=a-b", UNSATISFIABLE],
  ["bytes=99999999999999999999-", UNSATISFIABLE],
  ["bytes=0-1,5-9", WHOLE],
  ["lines=0-1", WHOLE],
])("of 100 bytes, Range %s selects %o", (header, asked) => {
  expect(parseRange(header, 100)).toEqual(asked);
});

test("no range of an empty file is satisfiable", () => {
  expect([parseRange("bytes=0-", 0), parseRange("bytes=-1", 0)]).toEqual([
    UNSATISFIABLE,
    UNSATISFIABLE,
  ]);
});

test.each([
  [null, true],
  ['"one"', true],
  ['W/"one"', false],
  ['"other"', false],
  ["Sat, 21 Nov 2026 04:00:00 GMT", false],
])("If-Range %s keeps the range: %s", (header, isCurrent) => {
  expect(isRangeCurrent(header, '"one"')).toBe(isCurrent);
});

test.each([
  [null, false],
  ['"one"', true],
  ['W/"one"', true],
  ['"other", "one"', true],
  ["*", true],
  ['"other"', false],
])("If-None-Match %s matches the ETag: %s", (header, isSame) => {
  expect(matchesEtag(header, '"one"')).toBe(isSame);
});
