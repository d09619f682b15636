/**
 * The planning of a batch of payouts: its time and the cron runs it took. Also the peak memory of
 * the payouts worker, until a quarter was planned and in all.
 */
export type PayoutPlanningResult = {
  creators: number;
  seconds: number;
  runs: number;
  beforeBytes: number;
  quarterBytes: number;
  highestBytes: number;
};
