import type { Instant } from "#app/domain/time.ts";

const FORMATS_MAX = 1_500;
const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(kind: keyof typeof OPTIONS, timeZone: string): Intl.DateTimeFormat {
  const key = `${kind} ${timeZone}`;
  const cached = formats.get(key);
  if (cached) return cached;
  const made = new Intl.DateTimeFormat("pt-BR", { ...OPTIONS[kind], timeZone });
  if (formats.size < FORMATS_MAX) formats.set(key, made);
  return made;
}

const OPTIONS = {
  day: { weekday: "long", day: "numeric", month: "long", year: "numeric" },
  time: { hour: "2-digit", minute: "2-digit" },
  zone: { timeZoneName: "shortOffset" },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>;

/** Formats "sexta-feira, 27 de novembro de 2026". */
export const eventDayText = (at: Instant, zone: string): string => formatOf("day", zone).format(at);

/** Formats "20:00". */
export const eventTimeText = (at: Instant, zone: string): string =>
  formatOf("time", zone).format(at);

/** Formats "sexta-feira, 27 de novembro de 2026, 20:00". */
export const eventMomentText = (at: Instant, zone: string): string =>
  `${eventDayText(at, zone)}, ${eventTimeText(at, zone)}`;

/** Formats a start and an end; the day of the end only where it is another. */
export function eventSpanText(
  { startsAt, endsAt }: { startsAt: Instant; endsAt: Instant },
  zone: string,
): string {
  const end =
    eventDayText(startsAt, zone) === eventDayText(endsAt, zone)
      ? eventTimeText(endsAt, zone)
      : eventMomentText(endsAt, zone);
  return `${eventMomentText(startsAt, zone)} até ${end}`;
}

/** Names a zone for people: "horário de Brasília (GMT-3)". */
export function zoneText(at: Instant, zone: string): string {
  const offset = formatOf("zone", zone)
    .formatToParts(at)
    .find(({ type }) => type === "timeZoneName")?.value;
  return `horário de ${zonePlace(zone)}${offset ? ` (${offset})` : ""}`;
}

/** The places of a zone as Brazilians write them; others keep their English name. */
const PLACES: Record<string, string> = {
  "America/Sao_Paulo": "Brasília",
  "America/Noronha": "Fernando de Noronha",
  "America/Belem": "Belém",
  "America/Maceio": "Maceió",
  "America/Cuiaba": "Cuiabá",
  "America/New_York": "Nova York",
  "America/Mexico_City": "Cidade do México",
  "America/Bogota": "Bogotá",
  "Europe/Lisbon": "Lisboa",
  "Europe/Madrid": "Madri",
  "Europe/Berlin": "Berlim",
  "Europe/London": "Londres",
  "Europe/Rome": "Roma",
  "Africa/Luanda": "Luanda",
  "Asia/Tokyo": "Tóquio",
  UTC: "Greenwich (UTC)",
};

export const zonePlace = (zone: string): string =>
  PLACES[zone] ?? (zone.split("/").at(-1) ?? zone).replaceAll("_", " ");

/** The zones that a form offers: Brazil's first, then where Brazilians live and travel. */
export const OFFERED_ZONES = [
  "America/Sao_Paulo",
  "America/Noronha",
  "America/Belem",
  "America/Fortaleza",
  "America/Recife",
  "America/Maceio",
  "America/Bahia",
  "America/Cuiaba",
  "America/Campo_Grande",
  "America/Manaus",
  "America/Porto_Velho",
  "America/Boa_Vista",
  "America/Rio_Branco",
  "America/Argentina/Buenos_Aires",
  "America/Montevideo",
  "America/Santiago",
  "America/Bogota",
  "America/Mexico_City",
  "America/New_York",
  "America/Chicago",
  "America/Los_Angeles",
  "Europe/Lisbon",
  "Europe/London",
  "Europe/Madrid",
  "Europe/Paris",
  "Europe/Berlin",
  "Europe/Rome",
  "Africa/Luanda",
  "Africa/Maputo",
  "Asia/Tokyo",
  "Australia/Sydney",
  "UTC",
] as const;
