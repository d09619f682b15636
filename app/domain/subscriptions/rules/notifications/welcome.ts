/**
 * The creator's welcome message for new subscribers, as the notification and email end with it;
 * empty when they wrote none.
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
