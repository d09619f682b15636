import { setTimeout as pause } from "node:timers/promises";

/**
 * Memory of one worker's isolate, in bytes: its heap, with uncollected garbage, and the buffers
 * outside of it. `looks` is the number of samples.
 */
export type IsolateWatch<Result> = {
  result: Result;
  beforeBytes: number;
  highestBytes: number;
  looks: number;
};

type Usage = { usedSize: number; embedderHeapUsedSize: number; backingStorageSize: number };

const LOOK_EVERY_MS = 20;

/**
 * Runs `act` and samples the memory of `worker`'s isolate meanwhile. `act` can read the highest
 * value so far. Uses the runtime's inspector (Chrome DevTools Protocol, Runtime.getHeapUsage). Only
 * one watch of an isolate works at a time: a second one gets no answers.
 */
export async function watchedIsolate<Result>(
  inspectorPort: number,
  worker: string,
  act: (highest: () => number) => Promise<Result>,
): Promise<IsolateWatch<Result>> {
  const inspector = await inspectorOf(`ws://127.0.0.1:${inspectorPort}/core:user:${worker}`);
  try {
    const beforeBytes = await inspector.heldBytes();
    let [highestBytes, looks, isOver] = [beforeBytes, 1, false];
    const looking = (async () => {
      while (!isOver) {
        highestBytes = Math.max(highestBytes, await inspector.heldBytes());
        looks += 1;
        await pause(LOOK_EVERY_MS);
      }
    })();
    try {
      const result = await act(() => highestBytes);
      return {
        result,
        beforeBytes,
        highestBytes: Math.max(highestBytes, await inspector.heldBytes()),
        looks,
      };
    } finally {
      isOver = true;
      await looking;
    }
  } finally {
    inspector.close();
  }
}

async function inspectorOf(address: string) {
  const socket = new WebSocket(address);
  const waiting = new Map<number, (usage: Usage) => void>();
  await new Promise<void>((resolve, reject) => {
    socket.addEventListener("open", () => resolve(), { once: true });
    socket.addEventListener("error", () => reject(new Error(`no inspector at ${address}`)), {
      once: true,
    });
  });
  socket.addEventListener("message", ({ data }) => {
    const { id, result } = JSON.parse(String(data)) as { id?: number; result?: Usage };
    if (id !== undefined && result) waiting.get(id)?.(result);
  });
  let asked = 0;
  return {
    async heldBytes(): Promise<number> {
      asked += 1;
      const id = asked;
      const { usedSize, embedderHeapUsedSize, backingStorageSize } = await new Promise<Usage>(
        (resolve) => {
          waiting.set(id, resolve);
          socket.send(JSON.stringify({ id, method: "Runtime.getHeapUsage" }));
        },
      );
      waiting.delete(id);
      return usedSize + embedderHeapUsedSize + backingStorageSize;
    },
    close: () => socket.close(),
  };
}
