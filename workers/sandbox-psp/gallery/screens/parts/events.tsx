import { AddToCalendar } from "#app/components/events/calendar/add-to-calendar.tsx";
import { AnswerFields } from "#app/components/events/questions/answer-fields.tsx";
import { AnswerList } from "#app/components/events/questions/answer-list.tsx";
import { EventBadges } from "#app/components/events/event-badges.tsx";
import { EventCover } from "#app/components/events/event-cover.tsx";
import { EventForm } from "#app/components/events/event-form.tsx";
import { EventLine, EventPlace } from "#app/components/events/event-line.tsx";
import { EventLink } from "#app/components/events/event-link.tsx";
import { EventText } from "#app/components/events/event-text.tsx";
import { EventLineTimes, EventTimes } from "#app/components/events/event-times.tsx";
import { LiveVideoFrame } from "#app/components/events/live/live-video.tsx";
import { RecordingTools } from "#app/components/events/live/recording-tools.tsx";
import { MonthGrid } from "#app/components/events/calendar/month-grid.tsx";
import { QuestionForm } from "#app/components/events/questions/question-form.tsx";
import { RequestReply } from "#app/components/events/requests/request-reply.tsx";
import { RunningEvents } from "#app/components/events/live/running-events.tsx";
import { ScopeChoices } from "#app/components/events/series/scope-choices.tsx";
import { SeatPanel } from "#app/components/events/seats/seat-panel.tsx";
import { SeriesDates } from "#app/components/events/series/series-dates.tsx";
import { TicketKindForm } from "#app/components/events/ticket-kinds/ticket-kind-form.tsx";
import { WeekGrid } from "#app/components/events/calendar/week-grid.tsx";
import type { EventView } from "#app/domain/events/schema.ts";
import {
  DAY_MS,
  HOUR_MS,
  LONG_NAME,
  LONG_WORD,
  NOW,
  plan,
  problem,
} from "#workers/sandbox-psp/gallery/screens/data.ts";
import type { GalleryScreen } from "#workers/sandbox-psp/gallery/screens/screen.ts";

const event: EventView = {
  id: "ensaio",
  title: "Ensaio aberto",
  place: "Teatro do Parque, Recife",
  startsAt: NOW + 2 * DAY_MS,
  endsAt: NOW + 2 * DAY_MS + 2 * HOUR_MS,
  timeZone: "America/Recife",
  status: "published",
  capacity: 40,
  priceFromCents: null,
  seatsTaken: 12,
  seatsHeld: 0,
  seatsOffered: 0,
  creatorName: "Ana Prado",
  creatorUsername: "ana",
  ownSeats: 0,
  maxPerPerson: 2,
  waitingCount: 0,
  isOpen: true,
  isWaiting: false,
  offer: null,
  creatorId: "ana",
  description: "Traga a sua rabeca.",
  access: "public",
  planIds: [],
  seriesId: null,
  revision: 1,
  updatedAt: NOW - DAY_MS,
  cover: null,
  questions: [],
  needsApproval: false,
  request: null,
  heldAt: null,
  link: null,
  linkOpensAt: null,
  isOnline: false,
  refundHours: null,
  movedAt: null,
  hasKinds: false,
  isPaid: false,
  ticketKinds: [],
  payment: null,
};
const seats: Record<string, Partial<EventView>> = {
  "vagas à vontade": {},
  "última vaga": { seatsTaken: 39 },
  "sem vagas, com fila": { seatsTaken: 40 },
  "na fila": { seatsTaken: 40, isWaiting: true, waitingCount: 3 },
  "vaga oferecida": {
    seatsTaken: 39,
    seatsOffered: 1,
    isWaiting: true,
    offer: { quantity: 1, endsAt: NOW + HOUR_MS },
  },
  "com vaga": { ownSeats: 2 },
  "pedir vaga": { needsApproval: true },
  "pedido a responder": {
    needsApproval: true,
    request: { status: "waiting", quantity: 1, kindId: null, reply: "" },
  },
  "pedido recusado": {
    needsApproval: true,
    request: {
      status: "refused",
      quantity: 1,
      kindId: null,
      reply: "Desta vez é só para a turma.",
    },
  },
  "só para assinantes": { isOpen: false, access: "subscribers" },
  cancelado: { status: "canceled" },
  terminado: { startsAt: NOW - 2 * DAY_MS, endsAt: NOW - DAY_MS },
  "escondido pela moderação": { heldAt: NOW },
};

const QUESTIONS = [
  { id: "q1", kind: "short", text: "Toca o quê?", options: [], isRequired: true },
] as const;

const days = [
  "2026-11-09",
  "2026-11-10",
  "2026-11-11",
  "2026-11-12",
  "2026-11-13",
  "2026-11-14",
  "2026-11-15",
];

export const EVENTS: GalleryScreen = {
  slug: "events",
  title: "Eventos",
  parts: [
    ...Object.entries(seats).map(([name, more]) => ({
      name: `Vaga: ${name}`,
      element: <SeatPanel event={{ ...event, ...more }} now={NOW} />,
    })),
    {
      name: "Linhas, com nome comprido",
      element: (
        <ul className="flex flex-col gap-3">
          <EventLine event={event} now={NOW} />
          <EventLine
            event={{
              ...event,
              title: LONG_WORD,
              place: LONG_NAME,
              priceFromCents: 12_345,
              seatsTaken: 40,
            }}
            now={NOW}
          />
        </ul>
      ),
    },
    {
      name: "Etiquetas",
      element: <EventBadges event={{ ...event, status: "canceled" }} now={NOW} />,
    },
    { name: "Lugar", element: <EventPlace place="Teatro do Parque" /> },
    {
      name: "Horários",
      element: (
        <div>
          <EventTimes {...event} />
          <EventLineTimes {...event} />
        </div>
      ),
    },
    {
      name: "Capa, texto e endereço ao vivo",
      element: (
        <div className="flex flex-col gap-3">
          <EventCover event={{ cover: { mediaId: "exemplo", alt: "Um coreto." } }} />
          <EventText text={"Traga a sua rabeca.\n\nhttps://exemplo.com.br"} />
          <EventLink event={{ link: null, linkOpensAt: NOW + DAY_MS, timeZone: event.timeZone }} />
        </div>
      ),
    },
    {
      name: "Pôr no calendário",
      element: (
        <AddToCalendar
          fileUrl="/a.ics"
          googleUrl="https://g.example"
          outlookUrl="https://o.example"
        />
      ),
    },
    {
      name: "Vídeo ao vivo",
      element: <LiveVideoFrame eventId="a" providerName="YouTube" isAsked={false} />,
    },
    {
      name: "Gravação a publicar",
      element: (
        <RecordingTools
          eventId="a"
          recording={{ postId: "a", state: null, audience: "à venda por R$ 25,00" }}
        />
      ),
    },
    {
      name: "Gravação publicada",
      element: (
        <RecordingTools
          eventId="a"
          recording={{ postId: "a", state: "published", audience: "para todo mundo" }}
        />
      ),
    },
    {
      name: "Datas que se repetem",
      element: (
        <SeriesDates
          series={{
            repeats: "Toda sexta",
            dates: [
              { id: "a", startsAt: NOW, endsAt: NOW + HOUR_MS, timeZone: event.timeZone },
              {
                id: "b",
                startsAt: NOW + 7 * DAY_MS,
                endsAt: NOW + 7 * DAY_MS + HOUR_MS,
                timeZone: event.timeZone,
              },
            ],
          }}
          pathOf={(id) => `/events/${id}`}
        />
      ),
    },
    {
      name: "Acontecendo agora",
      element: (
        <RunningEvents
          events={[{ id: "a", title: LONG_WORD, creatorName: LONG_NAME, ownSeats: 1 }]}
        />
      ),
    },
    {
      name: "Respostas",
      element: <AnswerList answers={[{ id: "q1", question: "Toca o quê?", values: ["Rabeca"] }]} />,
    },
    {
      name: "Semana",
      element: (
        <WeekGrid
          days={days}
          placed={days.map((_, index) =>
            index === 4
              ? [
                  {
                    id: "a",
                    title: "Ensaio aberto",
                    startsAt: NOW,
                    endsAt: NOW + HOUR_MS,
                    status: "published",
                    continues: false,
                    fromHour: 19,
                    toHour: 21,
                  },
                ]
              : [],
          )}
          hours={{ from: 18, to: 22 }}
          today="2026-11-11"
        />
      ),
      isWide: true,
    },
    {
      name: "Mês",
      element: (
        <MonthGrid
          label="Novembro de 2026"
          today="2026-11-11"
          weeks={[days.map((iso) => ({ iso, day: Number(iso.slice(8)), isInMonth: true }))]}
          byDay={{
            "2026-11-13": [
              { id: "a", title: LONG_WORD, startsAt: NOW, status: "published", continues: false },
            ],
          }}
        />
      ),
      isWide: true,
    },
  ],
};

export const EVENT_FORMS: GalleryScreen = {
  slug: "event-forms",
  title: "Formulários de eventos",
  parts: [
    {
      name: "Evento, com erros",
      element: (
        <EventForm
          values={{ title: "" }}
          coverMediaId={null}
          plans={[plan]}
          problem={problem({ title: "Dê um nome ao evento." })}
          isPublished={false}
          dates={null}
        />
      ),
    },
    {
      name: "Ingresso",
      element: (
        <TicketKindForm
          scopeLegend={null}
          values={{}}
          timeZone="America/Recife"
          feeBasisPoints={500}
          problem={undefined}
          submitLabel="Criar ingresso"
        />
      ),
    },
    {
      name: "Pergunta",
      element: <QuestionForm values={{}} problem={undefined} submitLabel="Criar" dates={null} />,
    },
    {
      name: "Perguntas a responder",
      element: <AnswerFields questions={[...QUESTIONS].map((one) => ({ ...one, options: [] }))} />,
    },
    { name: "Que datas mudam", element: <ScopeChoices legend="O que mudar" /> },
    {
      name: "Recusar um pedido",
      element: (
        <RequestReply
          heading="Recusar o pedido"
          name={LONG_NAME}
          means="A vaga não é dada."
          label="Recusar"
          variant="danger"
          backTo="/events/a/requests"
          problem={undefined}
        />
      ),
    },
  ],
};
