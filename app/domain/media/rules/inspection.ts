import type { MediaKind } from "#app/domain/media/schema.ts";

/**
 * Bytes that an inspection requests. The runner returns exactly these, or fewer at the end of the
 * file.
 */
export type ReadRequest = { offset: number; length: number };

/** Bytes to overwrite in place. */
export type BytePatch = { offset: number; bytes: Uint8Array };

export type FileProblem =
  | "unknown_type"
  | "quicktime"
  | "heic"
  | "wav"
  | "polyglot"
  | "cut"
  | "broken"
  | "too_large"
  | "tracked";

export type InspectionResult =
  | {
      ok: true;
      kind: MediaKind;
      contentType: string;
      width: number;
      height: number;
      patches: BytePatch[];
    }
  | { ok: false; why: FileProblem };

/**
 * A pure decision that requests its reads. It yields the ranges that it needs and returns its
 * verdict. A file of two gigabytes is inspected by a few hundred kilobytes of it.
 */
export type Inspection<Result> = Generator<ReadRequest, Result, Uint8Array>;

export type Source = {
  sizeBytes: number;
  /** Reads `length` bytes at `offset`, or fewer at the end of the file. */
  read(offset: number, length: number): Inspection<DataView>;
};

/** Matches names of location metadata. */
export const LOCATION_WORD = /location|gps|geo\.lat|latitude|longitude/i;

const WINDOW_BYTES = 64 * 1024;

/** Reads through a window, so that neighboring reads cost one. */
export function sourceOf(sizeBytes: number): Source {
  let window: { offset: number; bytes: Uint8Array } = { offset: 0, bytes: new Uint8Array() };
  return {
    sizeBytes,
    *read(offset, length) {
      const wanted = Math.max(0, Math.min(length, sizeBytes - offset));
      const isInside =
        offset >= window.offset && offset + wanted <= window.offset + window.bytes.byteLength;
      if (!isInside) {
        const bytes = yield {
          offset,
          length: Math.min(Math.max(wanted, WINDOW_BYTES), sizeBytes - offset),
        };
        window = { offset, bytes };
      }
      const start = offset - window.offset;
      const there = window.bytes.subarray(start, start + wanted);
      return new DataView(there.buffer, there.byteOffset, there.byteLength);
    },
  };
}

export function ascii(view: DataView, offset: number, length: number): string {
  if (offset < 0 || view.byteLength < offset + length) return "";
  return String.fromCharCode(...new Uint8Array(view.buffer, view.byteOffset + offset, length));
}

/** Decodes any bytes as text, one letter a byte, to search for words in them. */
export function latin1(view: DataView): string {
  return new TextDecoder("latin1").decode(view);
}
