import type { Received } from "./double.ts";

/** A test's own account at a double of a provider. */
export type DoubleAccount = {
  name: string;
  origin: string;
  act(name: string, input: Record<string, string>): Promise<void>;
  asked(name: string, input: Record<string, string>): Promise<Record<string, unknown>>;
  /** Applies `fault` to the next request whose "METHOD path" matches `on`. */
  break(fault: string, seconds: number, on: string): Promise<void>;
  /** Requests received, oldest first. */
  received(): Promise<Received[]>;
};

export function openDoubleAccount(origin: string, provider: "stripe" | "asaas"): DoubleAccount {
  const name = crypto.randomUUID().replaceAll("-", "");
  async function post(path: string, input: Record<string, string>): Promise<unknown> {
    const response = await fetch(`${origin}/_/${name}/${path}`, {
      method: "POST",
      body: JSON.stringify(input),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${path}: ${text}`);
    return JSON.parse(text);
  }
  return {
    name,
    origin,
    act: async (act, input) => void (await post(`${provider}/${act}`, input)),
    asked: async (act, input) =>
      (await post(`${provider}/${act}`, input)) as Record<string, unknown>,
    break: async (fault, seconds, on) =>
      void (await post("fault", { fault, seconds: String(seconds), on })),
    received: async () => (await post("received", {})) as Received[],
  };
}
