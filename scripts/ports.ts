import { createServer } from "node:net";

const ATTEMPTS = 50;

/** Finds two free consecutive ports: one for the product, the next for the sandbox provider. */
export async function freePortPair(): Promise<number> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    // Below the ephemeral ports of operating systems, which may be taken between the check and the
    // use.
    const port = 20_000 + Math.floor(Math.random() * 12_000);
    if ((await isPortFree(port)) && (await isPortFree(port + 1))) return port;
  }
  throw new Error("Não há duas portas livres seguidas nesta máquina.");
}

export function isPortFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once("error", () => resolve(false));
    probe.listen({ port, host: "127.0.0.1" }, () => probe.close(() => resolve(true)));
  });
}
