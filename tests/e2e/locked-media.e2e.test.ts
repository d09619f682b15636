import { beforeAll, expect, test } from "vitest";
import {
  createFormClient,
  signUpMember,
  publishPostByForm,
  signUpSeller,
} from "#tests/support/form-client.ts";
import type { FormClient, PublishedPost, SellerClient } from "#tests/support/form-client.ts";
import { payPix } from "#tests/support/sandbox.ts";
import { sharedServer } from "#tests/support/server.ts";

let origin = "";
let seller: SellerClient;
let locked: PublishedPost;
let followersOnly: PublishedPost;
/** The bytes that the author gets, by variant. */
let real: Map<string, Buffer>;

beforeAll(async () => {
  ({ origin } = sharedServer());
  seller = await signUpSeller(origin);
  await publishPostByForm(seller, {
    title: "Aberta para todo mundo",
    visibility: "public",
    seed: 1,
  });
  locked = await publishPostByForm(seller, {
    title: "Só para o Camarim",
    visibility: "plans",
    seed: 2,
  });
  followersOnly = await publishPostByForm(seller, {
    title: "Só para quem segue",
    visibility: "followers",
    seed: 4,
  });
  real = await bytesOf(seller, await mediaIdsIn(seller, locked.path));
}, 60_000);

const ADDRESS = /(?:https?:\/\/[^"'\s<>\\]+|\/(?:media|cdn-cgi|assets|api)\/[^"'\s<>\\,]+)/g;

async function text(calls: FormClient, path: string): Promise<string> {
  return (
    await calls.get(path, { Accept: path.startsWith("/api/") ? "application/json" : "text/html" })
  ).text();
}

async function mediaIdsIn(calls: FormClient, path: string): Promise<string[]> {
  const found = (await text(calls, path)).matchAll(/\/media\/([\w-]+)\/(?:640|1280)/g);
  return [...new Set([...found].map(([, id = ""]) => id))];
}

async function bytesOf(calls: FormClient, mediaIds: string[]): Promise<Map<string, Buffer>> {
  const bytes = new Map<string, Buffer>();
  for (const id of mediaIds) {
    for (const variant of ["640", "1280"]) {
      const answer = await calls.get(`/media/${id}/${variant}`);
      if (answer.status === 200)
        bytes.set(`/media/${id}/${variant}`, Buffer.from(await answer.arrayBuffer()));
    }
  }
  return bytes;
}

/**
 * Returns every address that pages and API answers show to `calls`, and guessable ones. Reads src,
 * href, srcset, Open Graph, JSON and page data.
 */
async function everyAddress(calls: FormClient): Promise<Set<string>> {
  const pages = [
    `/space/${seller.username}/public`,
    `/space/${seller.username}`,
    `/space/${seller.username}.data`,
    locked.path,
    `${locked.path}.data`,
    "/",
    "/_root.data",
    "/explore",
    "/notifications",
    `/api/v1/posts?limit=50`,
    `/api/v1/posts/${locked.id}`,
    `/api/v1/users/${seller.username}/profile`,
  ];
  const addresses = new Set<string>();
  for (const page of pages) {
    const body = (await text(calls, page)).replaceAll("\\u002F", "/").replaceAll("&amp;", "&");
    for (const [address] of body.matchAll(ADDRESS)) {
      const { pathname, search, origin: host } = new URL(address, origin);
      if (host === origin) addresses.add(pathname + search);
    }
  }
  const ids = [...real.keys()].map((address) => address.split("/")[2] ?? "");
  for (const id of new Set(ids)) for (const guess of guesses(id)) addresses.add(guess);
  return addresses;
}

function guesses(id: string): string[] {
  const variants = [
    "640",
    "1280",
    "320",
    "face",
    "original",
    "full",
    "raw",
    "640.webp",
    "1280?blur=0",
    "640?width=1280",
    "FACE",
    "face/..%2f1280",
    "..%2f..%2fmedia%2f" + id + "%2f1280",
    "1280/",
    "%31280",
  ];
  return [
    ...variants.map((variant) => `/media/${id}/${variant}`),
    `/media/${id}`,
    `/media/${id}.data`,
    `/media/${id}/1280.data`,
    `/media/${id}/640.data?_routes=routes%2Fresources%2Fmedia`,
    `/media/${id.toUpperCase()}/1280`,
    `/media//${id}/1280`,
    `//media/${id}/1280`,
    `/media/media/${id}/1280`,
    `/cdn-cgi/image/width=1280/media/${id}/1280`,
    `/cdn-cgi/image/width=1280,format=auto/${origin}/media/${id}/1280`,
    `/cdn-cgi/mf/r2/MEDIA/media/${id}/1280`,
    `/cdn-cgi/explorer/api/r2/media/media/${id}/1280`,
    `/assets/media/${id}/1280`,
    `/api/v1/media/${id}/1280`,
  ];
}

const LARGEST_FACE_BYTES = 1_500;

/**
 * Returns the addresses that gave `calls` the picture's bytes, a part of them, or another picture
 * than the thumbnail.
 */
async function leaks(calls: FormClient, headers: Record<string, string> = {}): Promise<string[]> {
  const ids = [...real.keys()].map((address) => address.split("/")[2] ?? "");
  const leaked: string[] = [];
  for (const address of await everyAddress(calls)) {
    const answer = await calls.get(address.startsWith("//") ? origin + address : address, headers);
    const bytes = Buffer.from(await answer.arrayBuffer());
    const hasRealBytes = [...real.values()].some((one) => bytes.includes(one.subarray(100, 400)));
    const isPicture =
      (answer.headers.get("Content-Type") ?? "").startsWith("image/") &&
      bytes.length > LARGEST_FACE_BYTES;
    if (
      hasRealBytes ||
      (isPicture && ids.some((id) => address.toLowerCase().includes(id.toLowerCase())))
    )
      leaked.push(address);
  }
  return leaked;
}

test("the author gets the picture in both sizes, larger than any thumbnail", () => {
  expect(real.size).toBe(2);
  for (const bytes of real.values()) {
    expect(bytes.subarray(0, 4).toString("latin1")).toBe("RIFF");
    expect(bytes.length).toBeGreaterThan(500);
  }
});

test("a visitor never gets the picture's bytes, by any listed or guessable address", async () => {
  expect(await leaks(createFormClient(origin))).toEqual([]);
});

test("a signed-in member who did not pay never gets the picture, a part of it, or a cached copy", async () => {
  const curious = await signUpMember(origin, "Curioso Dias");
  expect(await leaks(curious)).toEqual([]);
  expect(await leaks(curious, { Range: "bytes=0-1023" })).toEqual([]);
  expect(await leaks(curious, { "If-None-Match": "*" })).toEqual([]);
});

test("a locked page names no address of the picture but its thumbnail, and the thumbnail reveals nothing", async () => {
  const curious = await signUpMember(origin, "Curioso Dias");
  for (const path of [
    `/space/${seller.username}/public`,
    `/space/${seller.username}`,
    locked.path,
  ]) {
    const [id = ""] = [...real.keys()].map((address) => address.split("/")[2] ?? "");
    const named = [
      ...(await text(curious, path)).matchAll(new RegExp(`/media/${id}/([\\w.-]+)`, "g")),
    ].map(([, variant]) => variant);
    expect(new Set(named), path).toEqual(new Set(["face"]));
  }
  const [face] = [...real.keys()].map((address) => address.replace(/\/\d+$/, "/face"));
  const answer = await createFormClient(origin).get(face ?? "");
  expect(answer.status).toBe(200);
  expect((await answer.arrayBuffer()).byteLength).toBeLessThan(LARGEST_FACE_BYTES);
});

test("a follower gets pictures for followers, and not those for subscribers", async () => {
  const follower = await signUpMember(origin, "Segue Lima");
  const ids = await mediaIdsIn(seller, followersOnly.path);
  expect((await bytesOf(follower, ids)).size).toBe(0);
  await follower.postAndFollow(`/space/${seller.username}/follow`, { following: "true" });
  expect((await bytesOf(follower, ids)).size).toBe(2);
  expect(await leaks(follower)).toEqual([]);
});

test("a subscriber gets the picture, and no shared cache stores it", async () => {
  const fan = await signUpMember(origin, "Bruno Sá");
  const page = await text(fan, `/checkout?plan=${seller.planId}`);
  const planPriceId = /name="planPriceId" value="([^"]+)"/.exec(page)?.[1] ?? "";
  const charge = await fan.postAndFollow(`/checkout?plan=${seller.planId}`, {
    planPriceId,
    method: "pix",
    cardToken: "",
  });
  await payPix(origin, /000201[^<"\\]+6304[0-9A-F]{4}/.exec(await text(fan, charge))?.[0] ?? "");
  await expect
    .poll(async () => (await bytesOf(fan, await mediaIdsIn(fan, locked.path))).size, {
      timeout: 20_000,
    })
    .toBe(2);
  const gotten = await bytesOf(fan, await mediaIdsIn(fan, locked.path));
  for (const [address, bytes] of gotten) {
    expect(bytes.equals(real.get(address) ?? Buffer.alloc(0)), address).toBe(true);
    expect((await fan.get(address)).headers.get("Cache-Control")).toContain("private");
  }
  expect(await leaks(createFormClient(origin))).toEqual([]);
});
