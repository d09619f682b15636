import { encryptNotification } from "@block65/webcrypto-web-push";
import { afterEach, describe, expect, test, vi } from "vitest";
import { PushNotSent, webPush } from "#app/integrations/push/web-push.server.ts";
import { testEnv } from "#tests/support/worker-env.ts";

const bytesOf = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));
const textOf = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replace(/=+$/, "");

/** The example of RFC 8291, section 5 and appendix A. */
const RFC = {
  plaintext: "When I grow up, I want to be a watermelon",
  serverPublic:
    "BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8",
  serverPrivate: "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw",
  p256dh: "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
  auth: "BTBZMqHH6r4Tts7J_aSIgg",
  salt: "DGv6ra1nlYgDCS1FRnbzlw",
  message:
    "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN",
};

afterEach(() => vi.restoreAllMocks());

test("the example of RFC 8291 is encrypted as its appendix says", async () => {
  const point = bytesOf(RFC.serverPublic);
  const ecKey = (d?: string): JsonWebKey => ({
    kty: "EC",
    crv: "P-256",
    x: textOf(point.slice(1, 33)),
    y: textOf(point.slice(33)),
    ext: true,
    ...(d === undefined ? {} : { d }),
  });
  const curve = { name: "ECDH", namedCurve: "P-256" };
  const privateKey = await crypto.subtle.importKey("jwk", ecKey(RFC.serverPrivate), curve, true, [
    "deriveBits",
  ]);
  const publicKey = await crypto.subtle.importKey("jwk", ecKey(), curve, true, []);
  vi.spyOn(crypto.subtle, "generateKey").mockResolvedValue({ privateKey, publicKey } as never);
  vi.spyOn(crypto, "getRandomValues").mockImplementation(((into: Uint8Array) => {
    into.set(bytesOf(RFC.salt));
    return into;
  }) as never);
  const body = await encryptNotification(
    {
      endpoint: "https://push.example.net/push/JzLQ3raZJfFBR0aqvOMsLrt54w4rJUsV",
      expirationTime: null,
      keys: { p256dh: RFC.p256dh, auth: RFC.auth },
    },
    new TextEncoder().encode(RFC.plaintext),
    { pad: false },
  );
  expect(textOf(body)).toBe(RFC.message);
});

/** Made for this run. */
const KEYS = {
  publicKey: testEnv.VAPID_PUBLIC_KEY ?? "",
  privateKey: testEnv.VAPID_PRIVATE_KEY ?? "",
};
const device = { endpoint: "https://push.example.net/push/1", p256dh: RFC.p256dh, auth: RFC.auth };
const payload = { kind: "k", title: "Coreto", body: "Oi", path: "/", tag: "t" };
const answering = (status: number) => {
  const requests: Request[] = [];
  const sender = webPush({
    ...KEYS,
    subject: "mailto:push@coreto.example",
    fetch: async (input, init) => {
      requests.push(new Request(input, init));
      return new Response(null, { status });
    },
  });
  return { sender, requests };
};

describe("a push", () => {
  test("is one encrypted record under 4 kB, signed with our key for the push service", async () => {
    const { sender, requests } = answering(201);
    expect(await sender.send({ key: "1", device, payload })).toBe("sent");
    const [request] = requests;
    expect(request?.method).toBe("POST");
    expect(request?.headers.get("Content-Encoding")).toBe("aes128gcm");
    expect(Number(request?.headers.get("TTL"))).toBe(86_400);
    const body = new Uint8Array((await request?.arrayBuffer()) ?? new ArrayBuffer());
    expect(body.length).toBeLessThanOrEqual(4_096);
    expect(new TextDecoder().decode(body)).not.toContain("Coreto");
    const [, token = "", key = ""] =
      /^vapid t=([^,]+), k=(.+)$/.exec(request?.headers.get("Authorization") ?? "") ?? [];
    expect(key).toBe(KEYS.publicKey);
    const [head = "", claims = "", signature = ""] = token.split(".");
    expect(JSON.parse(new TextDecoder().decode(bytesOf(claims)))).toMatchObject({
      aud: "https://push.example.net",
      sub: "mailto:push@coreto.example",
    });
    const verifying = await crypto.subtle.importKey(
      "raw",
      bytesOf(KEYS.publicKey),
      { name: "ECDSA", namedCurve: "P-256" },
      false,
      ["verify"],
    );
    expect(
      await crypto.subtle.verify(
        { name: "ECDSA", hash: "SHA-256" },
        verifying,
        bytesOf(signature),
        new TextEncoder().encode(`${head}.${claims}`),
      ),
    ).toBe(true);
  });

  test.each([404, 410])("answered with %i is gone", async (status) => {
    expect(await answering(status).sender.send({ key: "1", device, payload })).toBe("gone");
  });

  test.each([301, 400, 413, 429, 500, 503])(
    "answered with %i is a failure that names no address",
    async (status) => {
      const sending = answering(status).sender.send({ key: "1", device, payload });
      await expect(sending).rejects.toThrow(PushNotSent);
      await expect(sending).rejects.toThrow(`push not sent: ${status}`);
    },
  );
});
