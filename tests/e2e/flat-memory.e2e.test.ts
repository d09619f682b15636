import { afterAll, beforeAll, expect, test } from "vitest";
import type { RunningProduct } from "#scripts/local-product.ts";
import { freePortPair } from "#scripts/ports.ts";
import { signUpSeller } from "#tests/support/form-client.ts";
import type { SellerClient } from "#tests/support/form-client.ts";
import { watchedIsolate } from "#tests/support/isolate-memory.ts";
import { LOCATED, receivedBytes, sentVideo } from "#tests/support/large-video.ts";
import { ownProduct } from "#tests/support/own-product.ts";

const MIB = 1024 * 1024;
const VIDEO_BYTES = 64 * MIB;
const PARTS_AT_ONCE = 3;
/**
 * Largest memory of the web worker. Source: issue 4, "Media". `npm run bench -- upload` checks it
 * with 2 GB.
 */
const MAY_HOLD_BYTES = 64 * MIB;
/** Largest growth between two uploads: three parts held whole would be 24 MiB. */
const MAY_GROW_BYTES = 12 * MIB;

let coreto: RunningProduct;
let inspectorPort: number;
let seller: SellerClient;

beforeAll(async () => {
  inspectorPort = await freePortPair();
  coreto = await ownProduct({}, 0, { inspectorPort });
  seller = await signUpSeller(coreto.origin);
  // The first upload also loads code, so only the second is measured.
  await sentVideo(seller, 9 * MIB, { userData: [LOCATED] });
}, 120_000);
afterAll(() => coreto.stop());

test("the web worker's memory stays flat and under 64 MB while a video is uploaded in parts, rewritten and downloaded", async () => {
  const { result, beforeBytes, highestBytes, looks } = await watchedIsolate(
    inspectorPort,
    "app",
    async () => {
      const mediaId = await sentVideo(seller, VIDEO_BYTES, {
        userData: [LOCATED],
        atOnce: PARTS_AT_ONCE,
      });
      return await receivedBytes(seller, mediaId);
    },
  );
  expect(result).toBe(VIDEO_BYTES);
  expect(looks).toBeGreaterThan(3);
  expect(highestBytes).toBeLessThan(MAY_HOLD_BYTES);
  expect(highestBytes - beforeBytes).toBeLessThan(MAY_GROW_BYTES);
}, 120_000);
