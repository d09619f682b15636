import { useRef } from "react";
import type { SubmitEvent } from "react";
import { Badge } from "#app/components/ui/badge.tsx";
import { Button } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { TextField } from "#app/components/ui/fields/field.tsx";
import { FormMessage } from "#app/components/ui/fields/form-message.tsx";
import { entriesWithOwn, otherEntry, validTickets } from "#app/domain/events/door/rules.ts";
import type { DoorEntry, OwnEntry } from "#app/domain/events/door/rules.ts";
import { counted, nounFor } from "#app/domain/text.ts";
import { DoorScanner } from "./door-scanner.tsx";
import { answerText, atText, PROBLEM_TEXTS } from "./door-texts.ts";
import { useDoor } from "./use-door.ts";
import type { DoorDevice } from "./use-door.ts";

type OfflineDoorProps = {
  account: string;
  space: string;
  eventId: string;
  timeZone: string;
  seatsTaken: number;
  /** People inside when the page was loaded. */
  inside: number;
};

/** The door of an event on a device with JavaScript: goes on without network. */
export function OfflineDoor({ timeZone, seatsTaken, inside, ...place }: OfflineDoorProps) {
  const door = useDoor(place);
  const { snapshot, own, isBusy, isOffline, problem } = door;
  const entries = entriesWithOwn(snapshot.entries, own);
  const waiting = own.filter(({ isQueued, name }) => isQueued && name !== "").length;
  return (
    <>
      <p className="font-medium">
        {counted(
          snapshot.listedAt === null ? inside : snapshot.inside,
          "pessoa entrou",
          "pessoas entraram",
        )}
        , de {counted(seatsTaken, "vaga", "vagas")}.
      </p>
      <FormMessage message={problem} />
      <p role="status" className="text-small text-muted">
        {isOffline
          ? "Sem internet: a lista deste aparelho decide. Não feche nem recarregue esta página. "
          : ""}
        {waiting > 0
          ? `${counted(waiting, "entrada espera", "entradas esperam")} a internet para ser ${nounFor(waiting, "enviada", "enviadas")}. `
          : ""}
        {snapshot.listedAt === null
          ? isOffline
            ? "Este aparelho ainda não tem a lista."
            : "Baixando a lista…"
          : `Lista de ${counted(validTickets(snapshot.tickets), "ingresso", "ingressos")}, baixada ${atText(snapshot.listedAt, { now: door.now, timeZone })}.`}
      </p>
      <Outcome door={door} entries={entries} timeZone={timeZone} />
      <Card className="flex flex-col gap-4 p-5">
        <CodeForm isBusy={isBusy} onCode={door.scan} />
        <DoorScanner isBusy={isBusy} onCode={(code) => void door.scan(code)} />
      </Card>
      <OwnEntries door={door} entries={entries} timeZone={timeZone} />
    </>
  );
}

type Shown = { door: DoorDevice; entries: DoorEntry[]; timeZone: string };

/** The answer to the last scan, with "Desfazer" while its entry stands. */
function Outcome({ door: { scanned, own, undo }, entries, timeZone }: Shown) {
  const entry = own.find(({ id }) => id === scanned?.id);
  const isIn = scanned?.answer.kind === "entered" && entry?.isUndone === false;
  const other = entry ? otherEntry(entries, entry) : null;
  const clock = { now: scanned?.at ?? 0, timeZone };
  const text = !scanned
    ? null
    : scanned.answer.kind === "entered" && !isIn
      ? `A entrada de ${scanned.answer.name} foi desfeita.`
      : answerText(scanned.answer, clock, scanned.isOffline);
  return (
    <>
      <div role="status" className="flex flex-col gap-2">
        {text === null ? null : (
          <p
            className={`rounded-card p-5 text-heading ${isIn ? "bg-signal-soft" : "bg-refusal-soft text-refusal"}`}
          >
            {text}
          </p>
        )}
        {isIn && other ? (
          <p className="rounded-card bg-refusal-soft p-5 font-medium text-refusal">
            Entrou também pela outra porta {atText(other.at, clock)}.
          </p>
        ) : null}
      </div>
      {isIn && scanned ? (
        <Button
          type="button"
          variant="outline"
          className="self-start"
          onClick={() => undo(scanned.id)}
        >
          Desfazer
        </Button>
      ) : null}
    </>
  );
}

function CodeForm({ isBusy, onCode }: { isBusy: boolean; onCode(code: string): Promise<boolean> }) {
  const field = useRef<HTMLFormElement>(null);
  const submit = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const code = new FormData(event.currentTarget).get("code");
    if (isBusy || typeof code !== "string" || code.trim() === "") return;
    void onCode(code).then((isIn) => {
      if (isIn) field.current?.reset();
    });
  };
  return (
    <form ref={field} className="flex flex-col gap-4" onSubmit={submit} noValidate>
      <TextField {...CODE_FIELD} />
      <Button size="lg" aria-disabled={isBusy} className="self-start">
        Deixar entrar
      </Button>
    </form>
  );
}

/** The field of a code, here and in the form without JavaScript. */
export const CODE_FIELD = {
  label: "Código do ingresso",
  name: "code",
  autoComplete: "off",
  autoCapitalize: "characters",
  spellCheck: false,
  autoFocus: true,
  placeholder: "K3M9-4TQZ-8W2P",
  required: true,
} as const;

const ENTRIES_SHOWN = 20;

/** The latest entries of this device, the newest first. */
function OwnEntries({ door: { own, now, undo }, entries, timeZone }: Shown) {
  const latest = own
    .filter(({ name }) => name !== "")
    .slice(-ENTRIES_SHOWN)
    .toReversed();
  if (latest.length === 0) return null;
  return (
    <Card as="section" label="Entradas deste aparelho" className="flex flex-col gap-2 p-5">
      <h2 className="text-heading">Entradas deste aparelho</h2>
      <ul className="divide-y divide-line">
        {latest.map((entry) => (
          <li key={entry.id} className="flex flex-wrap items-center justify-between gap-2 py-3">
            <EntryText entry={entry} other={otherEntry(entries, entry)} clock={{ now, timeZone }} />
            {entry.isUndone || entry.problem !== null ? null : (
              <Button
                type="button"
                variant="ghost"
                size="sm"
                aria-label={`Desfazer a entrada de ${entry.name}`}
                onClick={() => undo(entry.id)}
              >
                Desfazer
              </Button>
            )}
          </li>
        ))}
      </ul>
    </Card>
  );
}

type EntryTextProps = {
  entry: OwnEntry;
  other: DoorEntry | null;
  clock: Parameters<typeof atText>[1];
};

function EntryText({ entry, other, clock }: EntryTextProps) {
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <p className="flex flex-wrap items-center gap-2">
        <span className="font-medium">{entry.name}</span>
        <span className="text-small text-muted">{atText(entry.at, clock)}</span>
        {entry.isUndone ? <Badge>Desfeita</Badge> : null}
        {entry.isQueued ? <Badge tone="attention">Espera a internet</Badge> : null}
      </p>
      {entry.problem === null ? null : (
        <p className="text-small text-refusal">{PROBLEM_TEXTS[entry.problem]}</p>
      )}
      {other ? (
        <p className="text-small font-medium text-refusal">
          {`${entry.name} entrou também pela outra porta ${atText(other.at, clock)}.`}
        </p>
      ) : null}
    </div>
  );
}
