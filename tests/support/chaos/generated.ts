/** How often each action was generated in this process, and how often it had an effect. */
export const generatedCounts: Record<string, { dealt: number; took: number }> = {};

export function countGenerated(name: string, took: boolean): void {
  const kind = (generatedCounts[name] ??= { dealt: 0, took: 0 });
  kind.dealt += 1;
  kind.took += took ? 1 : 0;
}
