/**
 * What `transfers.worker.ts` measured, in milliseconds a transfer: among many entries those of as
 * many creators as among few, and `OfMany` those of all creators there.
 */
export type TransfersResult = {
  samples: Record<
    | "single"
    | "singleByHand"
    | "batch"
    | "batchByHand"
    | "singleAmongMany"
    | "batchAmongMany"
    | "batchOfMany"
    | "batchOfManyByHand",
    number[]
  >;
  entries: number;
  filledMs: number;
};

/** The same by hand in another database, in milliseconds a transfer. */
export type OtherDatabaseResult = { single: number[]; batch: number[] };
