/** What `transfers.worker.ts` measured, in milliseconds a transfer. */
export type Transfers = {
  samples: Record<"single" | "singleByHand" | "batch" | "batchByHand" | "singleAmongMany" | "batchAmongMany", number[]>;
  entries: number;
  filledMs: number;
};

/** The same by hand in another database, in milliseconds a transfer. */
export type Elsewhere = { single: number[]; batch: number[] };
