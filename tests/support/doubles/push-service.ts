import { createDecipheriv, createECDH, createHmac, randomBytes } from "node:crypto";
import { createServer } from "node:http";
import type { IncomingMessage } from "node:http";

type Received = {
  /** What the push says, after decryption. */
  payload: unknown;
  headers: IncomingMessage["headers"];
};

/** The keys of a browser's subscription, as it makes them (RFC 8291, section 3.1). */
export type SubscriptionKeys = { p256dh: string; auth: string };

/**
 * Starts a push service on this machine for one browser (RFC 8030). It takes encrypted pushes,
 * decrypts them with the subscription's own keys (RFC 8291), as the browser would, and hands them
 * to `deliver`. It answers 400 to what it cannot decrypt.
 */
export async function startPushService(deliver: (text: string) => Promise<void>): Promise<{
  origin: string;
  keys: SubscriptionKeys;
  received: Received[];
  stop(): Promise<void>;
}> {
  const device = createECDH("prime256v1");
  const publicKey = device.generateKeys();
  const auth = randomBytes(16);
  const received: Received[] = [];
  const server = createServer((request, response) => {
    void bytesOf(request)
      .then(async (body) => {
        const text = decrypt(body, device, auth);
        received.push({ payload: JSON.parse(text), headers: request.headers });
        await deliver(text);
        response.writeHead(201).end();
      })
      .catch(() => response.writeHead(400).end());
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const address = server.address();
  const port = typeof address === "object" ? address?.port : 0;
  return {
    origin: `http://127.0.0.1:${port}`,
    keys: { p256dh: publicKey.toString("base64url"), auth: auth.toString("base64url") },
    received,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
      }),
  };
}

async function bytesOf(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts);
}

/** Decrypts one record of `aes128gcm` (RFC 8188) with the keys of RFC 8291. */
function decrypt(body: Buffer, device: ReturnType<typeof createECDH>, auth: Buffer): string {
  const salt = body.subarray(0, 16);
  const keyLength = body[20] ?? 0;
  const sender = body.subarray(21, 21 + keyLength);
  const record = body.subarray(21 + keyLength);
  const sharedKey = hmac(auth, device.computeSecret(sender));
  const info = Buffer.concat([Buffer.from("WebPush: info\0"), device.getPublicKey(), sender]);
  const pseudoRandomKey = hmac(salt, hmac(sharedKey, Buffer.concat([info, Buffer.from([1])])));
  const keyOf = (name: string, length: number) =>
    hmac(pseudoRandomKey, Buffer.from(`Content-Encoding: ${name}\0\u0001`)).subarray(0, length);
  const decipher = createDecipheriv("aes-128-gcm", keyOf("aes128gcm", 16), keyOf("nonce", 12));
  decipher.setAuthTag(record.subarray(-16));
  const padded = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()]);
  // The text ends with 2 and zeros.
  return padded.subarray(0, padded.lastIndexOf(2)).toString("utf8");
}

const hmac = (key: Buffer, data: Buffer): Buffer => createHmac("sha256", key).update(data).digest();
