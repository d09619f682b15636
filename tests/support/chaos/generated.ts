/** How often each kind was dealt since the process began, and how often anything came of it. */
export const generatedCounts: Record<string, { dealt: number; took: number }> = {};

export function countGenerated(name: string, took: boolean): void {
  const kind = (generatedCounts[name] ??= { dealt: 0, took: 0 });
  kind.dealt += 1;
  kind.took += took ? 1 : 0;
}
