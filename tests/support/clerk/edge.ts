import { createServer as createHttpServer } from "node:http";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { X509CertificateGenerator } from "@peculiar/x509";

export type Answering = (request: Request) => Promise<Response>;

/**
 * Starts a TLS server on a free port, with a self-signed certificate. Each host has its own
 * handler.
 */
export async function tlsEdge(
  hosts: Record<string, Answering>,
): Promise<{ port: number; stop(): Promise<void> }> {
  const algorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
  const keys = (await crypto.subtle.generateKey(algorithm, true, [
    "sign",
    "verify",
  ])) as CryptoKeyPair;
  const certificate = await X509CertificateGenerator.createSelfSigned({
    name: "CN=coreto.test",
    keys,
    signingAlgorithm: algorithm,
  });
  const secret = Buffer.from(
    (await crypto.subtle.exportKey("pkcs8", keys.privateKey)) as ArrayBuffer,
  ).toString("base64");
  const key = `-----BEGIN PRIVATE KEY-----\n${secret}\n-----END PRIVATE KEY-----`;
  return listening(
    createServer(
      { key, cert: certificate.toString("pem") },
      answered("https", (host) => hosts[host]),
    ),
  );
}

/** Starts the same server without TLS, for requests of the worker. */
export async function plainServer(
  answering: Answering,
): Promise<{ port: number; stop(): Promise<void> }> {
  return listening(createHttpServer(answered("http", () => answering)));
}

function listening(server: Server): Promise<{ port: number; stop(): Promise<void> }> {
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo;
      resolve({
        port,
        stop: () =>
          new Promise((done) => {
            server.close(() => done());
            server.closeAllConnections();
          }),
      });
    });
  });
}

function answered(scheme: string, pick: (host: string) => Answering | undefined) {
  return async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const host = incoming.headers.host ?? "";
    const answering = pick(host);
    try {
      const response = answering
        ? await answering(await asRequest(`${scheme}://${host}`, incoming))
        : new Response(null, { status: 421 });
      const headers: Record<string, string | string[]> = Object.fromEntries(response.headers);
      // The body is already decoded here.
      delete headers["content-encoding"];
      delete headers["content-length"];
      const cookies = response.headers.getSetCookie();
      outgoing.writeHead(
        response.status,
        cookies.length > 0 ? { ...headers, "set-cookie": cookies } : headers,
      );
      outgoing.end(Buffer.from(await response.arrayBuffer()));
    } catch (error) {
      outgoing.writeHead(502).end(String(error));
    }
  };
}

async function asRequest(origin: string, incoming: IncomingMessage): Promise<Request> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const method = incoming.method ?? "GET";
  const headers = new Headers();
  for (const [name, value] of Object.entries(incoming.headers)) {
    if (
      value !== undefined &&
      !/^(connection|host|transfer-encoding|content-length|accept-encoding)$/.test(name)
    )
      headers.set(name, String(value));
  }
  return new Request(origin + (incoming.url ?? "/"), {
    method,
    headers,
    ...(chunks.length > 0 ? { body: Buffer.concat(chunks) } : {}),
  });
}
