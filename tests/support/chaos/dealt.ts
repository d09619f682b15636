/** How often each kind was dealt since the process began, and how often anything came of it. */
export const dealt: Record<string, { dealt: number; took: number }> = {};

export function count(name: string, took: boolean): void {
  const kind = (dealt[name] ??= { dealt: 0, took: 0 });
  kind.dealt += 1;
  kind.took += took ? 1 : 0;
}
