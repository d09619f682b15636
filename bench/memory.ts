import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inRoot } from "#scripts/paths.ts";
import { freePortPair } from "#scripts/ports.ts";
import { PRODUCT_WORKERS } from "#scripts/topology.ts";
import type { WorkerName } from "#scripts/topology.ts";
import { signUpMember, publishPostByForm, signUpSeller } from "#tests/support/form-client.ts";
import type { MemberClient, SellerClient } from "#tests/support/form-client.ts";
import { watchedIsolate } from "#tests/support/isolate-memory.ts";
import { sandboxAct, sandboxCharges } from "#tests/support/sandbox.ts";
import { compareServers, retryOnce, startServer, stopServer } from "./harness.ts";
import type { Measurement } from "./harness.ts";
import { sized } from "./size.ts";

const MIB = 1024 * 1024;
/** The platform's memory limit of an isolate. Source: issue 5, "Numbers". */
const MAY_HOLD_BYTES = 128 * MIB;
const MEMBERS = sized(40, 2);
const AT_ONCE = 8;
/** Repeated webhook events of each payment, in addition to the provider's own. */
const REPEATED = sized(5, 1);

type IsolateMemory = { worker: WorkerName; beforeBytes: number; highestBytes: number };

/**
 * Measures the peak memory of each worker's isolate. Meanwhile people sign up, subscribe, pay and
 * read, months pass, and every webhook event repeats.
 */
export async function benchMemory(): Promise<Measurement[]> {
  const directory = mkdtempSync(join(tmpdir(), "coreto-bench-memory-"));
  const [port, inspectorPort] = [await freePortPair(), await freePortPair()];
  const server = await startServer(
    inRoot("bench", "server.ts"),
    {
      PORT: String(port),
      CORETO_DATA_DIRECTORY: directory,
      BENCH_INSPECTOR_PORT: String(inspectorPort),
      BENCH_TICK: "on",
    },
    "bench server ready",
  );
  try {
    const held = await watchedAll(inspectorPort, PRODUCT_WORKERS, () =>
      loaded(`http://localhost:${port}`, `http://127.0.0.1:${port + 1}`),
    );
    return held.flatMap(({ worker, beforeBytes, highestBytes }) => [
      measurement(`${worker}: held before`, beforeBytes),
      measurement(`${worker}: held at most`, highestBytes, 1),
    ]);
  } finally {
    await stopServer(server);
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Samples every worker's isolate while `act` runs, once. */
async function watchedAll(
  inspectorPort: number,
  [worker, ...others]: readonly WorkerName[],
  act: () => Promise<void>,
): Promise<IsolateMemory[]> {
  if (!worker) {
    await act();
    return [];
  }
  const { result, beforeBytes, highestBytes } = await watchedIsolate(inspectorPort, worker, () =>
    watchedAll(inspectorPort, others, act),
  );
  return [{ worker, beforeBytes, highestBytes }, ...result];
}

async function loaded(origin: string, sandboxOrigin: string): Promise<void> {
  const seller = await signUpSeller(origin);
  const post = await publishPostByForm(seller, {
    title: "O ensaio",
    visibility: "public",
    seed: 3,
  });
  const left = Array.from({ length: MEMBERS }, (_, index) => index);
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (let index = left.shift(); index !== undefined; index = left.shift())
        await subscribed(sandboxOrigin, seller, await signUpMember(origin, `Bruno ${index}`));
    }),
  );
  for (let again = 0; again < REPEATED; again += 1)
    for (const id of (await eventsOf(sandboxOrigin)).slice(0, MEMBERS))
      await retryOnce(() => sandboxAct(sandboxOrigin, `events/${id}/replay`));
  for (const path of [
    `/space/${seller.username}/public`,
    `/space/${seller.username}/public/${post.id}`,
    "/auth/login",
  ])
    await compareServers(path, { subject: `${origin}${path}`, baseline: `${origin}/healthz` });
  // Renewals, reminders, releases and payouts, stopping at each due time.
  await retryOnce(() => sandboxAct(sandboxOrigin, "clock", { advance: sized("P35D", "P1D") }));
}

async function subscribed(
  sandboxOrigin: string,
  seller: SellerClient,
  member: MemberClient,
): Promise<void> {
  const form = await (await member.get(`/checkout?plan=${seller.planId}`)).text();
  const planPriceId =
    /name="planPriceId"[^>]*value="([^"]+)"|value="([^"]+)"[^>]*name="planPriceId"/
      .exec(form)
      ?.slice(1)
      .find(Boolean) ?? "";
  const chargeId = (
    await member.postAndFollow(`/checkout?plan=${seller.planId}`, { planPriceId, method: "pix" })
  )
    .split("/")
    .at(-1);
  const charge = (await sandboxCharges(sandboxOrigin)).find(
    ({ reference }) => reference === chargeId,
  );
  await sandboxAct(sandboxOrigin, `charges/${charge?.id ?? ""}/pay`);
}

/** Returns the provider's latest webhook events, each once. */
async function eventsOf(sandboxOrigin: string): Promise<string[]> {
  const answer = await fetch(`${sandboxOrigin}/sandbox/deliveries?shown=1000`, {
    headers: { Accept: "application/json" },
  });
  return [
    ...new Set(
      ((await answer.json()) as { data: { event: { id: string } }[] }).data.map(
        ({ event }) => event.id,
      ),
    ),
  ];
}

const measurement = (name: string, bytes: number, limit?: number): Measurement => ({
  name,
  value: Math.round(bytes / MIB),
  unit: "MB",
  baseline: MAY_HOLD_BYTES / MIB,
  ratio: Math.round((bytes / MAY_HOLD_BYTES) * 100) / 100,
  ...(limit === undefined ? {} : { limit }),
});
