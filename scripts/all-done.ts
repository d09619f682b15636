/**
 * Waits until each of `works` has ended, and then fails as the first that failed: nothing still
 * writes when the caller cleans up.
 */
export async function allDone<Results extends readonly unknown[]>(works: {
  [Index in keyof Results]: Promise<Results[Index]>;
}): Promise<Results> {
  await Promise.allSettled(works);
  return (await Promise.all(works)) as unknown as Results;
}
