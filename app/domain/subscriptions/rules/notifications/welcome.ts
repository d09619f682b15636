/**
 * What who creates wrote for whoever subscribes to a plan, as the notice and the letter of its
 * beginning end; nothing where they wrote nothing.
 */
export function welcomeText({
  creatorName,
  welcomeMessage = "",
}: {
  creatorName: string;
  welcomeMessage?: string;
}): string[] {
  return welcomeMessage === "" ? [] : [`${creatorName} escreveu para você: ${welcomeMessage}`];
}
