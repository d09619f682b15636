import { parse } from "range-parser";
import type { ByteRange } from "#app/domain/media/schema.ts";

export type RangeRequest =
  | { kind: "whole" }
  | ({ kind: "part" } & ByteRange)
  | { kind: "unsatisfiable" };

const WHOLE: RangeRequest = { kind: "whole" };
const UNSATISFIABLE: RangeRequest = { kind: "unsatisfiable" };

/**
 * Parses a Range header for `sizeBytes` by RFC 9110, section 14. Ignores several ranges and other
 * units, as a server may. Refuses an invalid byte range, or one that starts past the end.
 */
export function parseRange(header: string | null, sizeBytes: number): RangeRequest {
  if (header === null || header.includes(",")) return WHOLE;
  const { type, ranges } = parse(sizeBytes, header);
  if (type.trim().toLowerCase() !== "bytes") return WHOLE;
  const [range] = ranges;
  return range ? { kind: "part", first: range.start, last: range.end } : UNSATISFIABLE;
}

/**
 * Whether a request's Range applies to the current content: `If-Range` is absent or equals this
 * tag. A date never does.
 */
export function isRangeCurrent(ifRange: string | null, etag: string): boolean {
  return ifRange === null || ifRange.trim() === etag;
}

/** Whether `If-None-Match` contains this tag. */
export function matchesEtag(ifNoneMatch: string | null, etag: string): boolean {
  const tags = (ifNoneMatch ?? "").split(",").map((tag) => tag.trim().replace(/^W\//, ""));
  return tags.includes(etag) || tags.includes("*");
}
