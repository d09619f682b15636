type Samples = { coreto: number[]; bare: number[] };

/** The results of `reads.worker.ts`, in milliseconds and rows read. */
export type LedgerReadsResult = {
  statement: Samples;
  statementRows: { shown: number; read: number };
  trial: Samples;
  trialSealed: { read: number; bareRead: number };
  sealed: { entries: number; sealMs: number; verifyMs: number; bareMs: number };
  looks: {
    charges: number;
    wholeMs: number;
    bareMs: number;
    wholeRead: number;
    dayRead: number;
    dayMs: number;
  }[];
};
