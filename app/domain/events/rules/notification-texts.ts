import { eventMomentText, zoneText } from "#app/domain/events/times/rules.ts";

/** The address of an event's page. */
export const pathOf = (eventId: string): string => `/events/${eventId}`;

/** When an event starts, in its own zone. */
export const whenText = ({ startsAt, timeZone }: { startsAt: number; timeZone: string }): string =>
  `${eventMomentText(startsAt, timeZone)}, ${zoneText(startsAt, timeZone)}`;

/** Where an event takes place. */
export const placeText = (place: string): string => (place === "" ? "on-line" : place);
