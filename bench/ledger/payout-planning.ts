/**
 * Of a batch of payouts: how long it took to be planned, in how many runs of the cron, and what the
 * payouts worker held at most until a quarter of it was, and in all.
 */
export type PayoutPlanningResult = {
  creators: number;
  seconds: number;
  runs: number;
  beforeBytes: number;
  quarterBytes: number;
  highestBytes: number;
};
