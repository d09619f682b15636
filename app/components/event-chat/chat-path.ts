type OfChat = {
  /** The id of the event. */
  id: string;
  /** Its page was asked for with the video, as without JavaScript. */
  isVideoAsked: boolean;
};

/** The address of a chat's page, which keeps an open video open. */
export function chatPath({ id, isVideoAsked }: OfChat, query: Record<string, number> = {}): string {
  const asked = [
    ...(isVideoAsked ? ["video=1"] : []),
    ...Object.entries(query).map(([name, value]) => `${name}=${value}`),
  ];
  return `/events/${id}/live${asked.length === 0 ? "" : `?${asked.join("&")}`}`;
}
