import type { MetaDescriptor } from "react-router";
import { eventMomentText } from "#app/domain/events/times/rules.ts";
import { remainingSeats } from "#app/domain/events/rules.ts";
import { remainingOfKind } from "#app/domain/events/rules/tickets.ts";
import type { EventView } from "#app/domain/events/schema.ts";
import { mediaUrl } from "#app/domain/media/rules.ts";
import type { PublicProfile } from "#app/domain/profiles/schema.ts";
import { spacePicturePath } from "#app/domain/syndication/rules/pictures.ts";
import { sharedMeta } from "./public-meta.ts";
import { breadcrumbs, organization, structuredData, webSite } from "./structured-data.ts";

type EventMetaInput = {
  event: EventView;
  creator: PublicProfile;
  origin: string;
  pageUrl: string;
};

const DESCRIPTION_CHARACTERS = 160;

/** The metadata of an event's page for visitors, for search engines and chats. */
export function eventMeta({ event, creator, origin, pageUrl }: EventMetaInput): MetaDescriptor[] {
  const when = eventMomentText(event.startsAt, event.timeZone);
  const description =
    event.description.replaceAll(/\s+/g, " ").slice(0, DESCRIPTION_CHARACTERS).trim() ||
    `${when}. ${event.place || "On-line"}.`;
  const spaceUrl = `${origin}/space/${event.creatorUsername}/public`;
  return [
    { title: `${event.title} · ${event.creatorName} · Coreto` },
    { name: "description", content: description },
    { tagName: "link", rel: "canonical", href: pageUrl },
    ...sharedMeta({
      type: "website",
      title: event.title,
      description,
      pageUrl,
      ...(event.cover
        ? { picture: coverUrl(origin, event.cover), isDrawn: false, alt: event.cover.alt }
        : {
            picture: origin + spacePicturePath(creator),
            alt: `Cartão da página de ${event.creatorName} no Coreto`,
          }),
    }),
    structuredData(
      organization(origin),
      webSite(origin),
      eventData({ event, creator, origin, pageUrl, description }),
      breadcrumbs([
        { name: "Coreto", url: `${origin}/` },
        { name: event.creatorName, url: spaceUrl },
        { name: event.title, url: pageUrl },
      ]),
    ),
  ];
}

const coverUrl = (origin: string, { mediaId }: { mediaId: string }): string =>
  origin + mediaUrl(mediaId, "1280");

/**
 * The event for search engines; its link is not in it. Source:
 * https://developers.google.com/search/docs/appearance/structured-data/event
 */
function eventData({
  event,
  origin,
  pageUrl,
  description,
}: EventMetaInput & { description: string }) {
  const isOnline = event.place === "";
  const mode = isOnline ? "Online" : event.isOnline ? "Mixed" : "Offline";
  const virtual = { "@type": "VirtualLocation", url: pageUrl };
  const place = { "@type": "Place", name: event.place, address: event.place };
  return {
    "@type": "Event",
    "@id": `${pageUrl}#event`,
    name: event.title,
    description,
    url: pageUrl,
    inLanguage: "pt-BR",
    startDate: new Date(event.startsAt).toISOString(),
    endDate: new Date(event.endsAt).toISOString(),
    eventStatus: `https://schema.org/${event.status === "canceled" ? "EventCancelled" : "EventScheduled"}`,
    eventAttendanceMode: `https://schema.org/${mode}EventAttendanceMode`,
    location: isOnline ? virtual : event.isOnline ? [place, virtual] : place,
    ...(event.cover ? { image: coverUrl(origin, event.cover) } : {}),
    ...(event.capacity === null
      ? {}
      : {
          maximumAttendeeCapacity: event.capacity,
          remainingAttendeeCapacity: remainingSeats(event) ?? 0,
        }),
    isAccessibleForFree:
      (event.access === "public" || event.access === "followers") &&
      !(event.isOffSale ? event.isPaid : event.priceFromCents),
    ...(event.ticketKinds.length === 0
      ? {}
      : {
          offers: event.ticketKinds.map((kind) => ({
            "@type": "Offer",
            name: kind.name,
            price: (kind.priceCents / 100).toFixed(2),
            priceCurrency: "BRL",
            availability: `https://schema.org/${remainingOfKind(kind) === 0 || remainingSeats(event) === 0 ? "SoldOut" : "InStock"}`,
            ...(kind.saleStartsAt === null
              ? {}
              : { validFrom: new Date(kind.saleStartsAt).toISOString() }),
            url: pageUrl,
          })),
        }),
    organizer: {
      "@type": "Person",
      name: event.creatorName,
      url: `${origin}/space/${event.creatorUsername}/public`,
    },
  };
}
