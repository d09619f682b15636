import { parse } from "range-parser";
import type { ByteRange } from "#app/domain/media/schema.ts";

export type RangeRequest =
  | { kind: "whole" }
  | ({ kind: "part" } & ByteRange)
  | { kind: "unsatisfiable" };

const WHOLE: RangeRequest = { kind: "whole" };
const UNSATISFIABLE: RangeRequest = { kind: "unsatisfiable" };

/**
 * RFC 9110, section 14: what the Range header asks of something of `sizeBytes`. Several ranges and
 * other units are ignored, as a server may; what is no range of bytes, or begins past the end, is
 * refused.
 */
export function parseRange(header: string | null, sizeBytes: number): RangeRequest {
  if (header === null || header.includes(",")) return WHOLE;
  const { type, ranges } = parse(sizeBytes, header);
  if (type.trim().toLowerCase() !== "bytes") return WHOLE;
  const [range] = ranges;
  return range ? { kind: "part", first: range.start, last: range.end } : UNSATISFIABLE;
}

/**
 * Whether the Range of a request still speaks of what there is: `If-Range` is absent or names this
 * very tag. A date never does.
 */
export function isRangeCurrent(ifRange: string | null, etag: string): boolean {
  return ifRange === null || ifRange.trim() === etag;
}

/** Whether `If-None-Match` names this tag. */
export function matchesEtag(ifNoneMatch: string | null, etag: string): boolean {
  const known = (ifNoneMatch ?? "").split(",").map((tag) => tag.trim().replace(/^W\//, ""));
  return known.includes(etag) || known.includes("*");
}
