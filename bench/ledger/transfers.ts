/**
 * The results of `transfers.worker.ts`, in milliseconds a transfer. The large ledger uses as many
 * creators as the small one, and the fields in `OfMany` all its creators.
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

/** The same statements by hand in another database, in milliseconds a transfer. */
export type OtherDatabaseResult = { single: number[]; batch: number[] };
