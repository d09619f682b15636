/** How often each action was generated in this process, and how often it had an effect. */
export const generatedCounts: Record<string, { generated: number; took: number }> = {};

export function countGenerated(name: string, took: boolean): void {
  const kind = (generatedCounts[name] ??= { generated: 0, took: 0 });
  kind.generated += 1;
  kind.took += took ? 1 : 0;
}
