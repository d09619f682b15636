import { Search } from "lucide-react";
import { Fragment, useEffect, useId, useRef, useState } from "react";
import type { KeyboardEvent } from "react";
import { Button } from "#app/components/ui/button.tsx";
import { Loading } from "#app/components/ui/skeleton.tsx";
import { useSlow } from "#app/components/ui/use-slow.ts";
import { counted } from "#app/domain/text.ts";
import { matchingEntries, paletteActions, palettePages } from "./palette-entries.ts";
import type { PaletteEffect, PalettePerson } from "./palette-entries.ts";
import { activeIndex, keyAfter, paletteGroups } from "./palette-options.tsx";
import type { PaletteGroup, PaletteOption } from "./palette-options.tsx";
import { usePaletteResults } from "./use-palette-results.ts";

/** As much as the search takes. */
const TYPED_MAX = 80;

const STEPS: Record<string, 1 | -1> = { ArrowDown: 1, ArrowUp: -1 };

type PaletteProps = {
  person: PalettePerson;
  /** What is in the field at first. */
  typed: string;
  onClose: () => void;
  onChoose: (effect: PaletteEffect) => void;
};

/**
 * Finds pages, actions, people and posts while somebody types. A combobox: the focus stays in the
 * field, arrows move, Enter opens, Esc closes.
 */
export function Palette({ person, typed: first, onClose, onChoose }: PaletteProps) {
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const [typed, setTyped] = useState(first);
  // By its key: results that come later do not move it.
  const [activeKey, setActiveKey] = useState<string | null>(null);
  const { groups, problem, isSearching, hasResults } = useGroups(person, typed);
  const isSlow = useSlow(isSearching && !hasResults);
  const options = groups.flatMap((group) => group.options);
  const active = activeIndex(options, activeKey);
  const chosen = options[active];
  useEffect(() => dialog.current?.showModal(), []);
  useEffect(() => {
    document.getElementById(`${id}-${active}`)?.scrollIntoView({ block: "nearest" });
  }, [id, active]);
  const choose = (effect: PaletteEffect) => {
    // Closing gives the focus back to where it was.
    dialog.current?.close();
    onChoose(effect);
  };
  const press = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const step = STEPS[event.key];
    if (step !== undefined) setActiveKey(keyAfter(options, activeKey, step));
    else if (event.key === "Enter" && chosen) choose(chosen.effect);
    else return;
    event.preventDefault();
  };
  return (
    <dialog
      ref={dialog}
      aria-label="Buscar ou ir para"
      onClose={onClose}
      onClick={(event) => {
        if (event.target === dialog.current) dialog.current.close();
      }}
      className="mx-auto mt-[10dvh] w-[min(40rem,calc(100vw-2rem))] overflow-hidden rounded-card border border-line bg-card text-ink shadow-float backdrop:bg-black/60"
    >
      <div className="flex items-center gap-3 border-b border-line px-4 py-2">
        <Search aria-hidden="true" className="size-5 shrink-0 text-muted" />
        <Field
          listId={`${id}-list`}
          activeId={chosen ? `${id}-${active}` : undefined}
          typed={typed}
          onType={(text) => {
            setTyped(text);
            setActiveKey(null);
          }}
          onKeyDown={press}
        />
        <Button type="button" variant="ghost" size="sm" onClick={() => dialog.current?.close()}>
          Fechar
        </Button>
      </div>
      <Status
        isSearching={isSearching}
        isNothing={typed.trim() !== "" && options.length === 1 && problem === null && !isSlow}
        count={options.length}
        problem={problem}
      />
      <div
        id={`${id}-list`}
        role="listbox"
        aria-label="Resultados"
        aria-busy={isSearching}
        className="max-h-[min(26rem,60dvh)] overflow-y-auto p-2"
      >
        <Groups id={id} groups={groups} chosen={chosen} isSlow={isSlow} onChoose={choose} />
      </div>
    </dialog>
  );
}

function useGroups(person: PalettePerson, typed: string) {
  const { permissions, people, posts, problem, isSearching } = usePaletteResults(
    typed,
    person.spaceId,
  );
  const groups = paletteGroups({
    typed: typed.trim(),
    actions: matchingEntries(paletteActions(person, permissions), typed),
    pages: matchingEntries(palettePages(person, permissions), typed),
    people,
    posts,
  });
  return { groups, problem, isSearching, hasResults: people.length + posts.length > 0 };
}

type FieldProps = {
  listId: string;
  activeId: string | undefined;
  typed: string;
  onType: (text: string) => void;
  onKeyDown: (event: KeyboardEvent) => void;
};

function Field({ listId, activeId, typed, onType, onKeyDown }: FieldProps) {
  return (
    <input
      role="combobox"
      aria-label="Buscar ou ir para"
      aria-expanded="true"
      aria-controls={listId}
      aria-autocomplete="list"
      aria-activedescendant={activeId}
      placeholder="Página, pessoa ou ação"
      maxLength={TYPED_MAX}
      autoComplete="off"
      spellCheck={false}
      value={typed}
      onChange={(event) => onType(event.currentTarget.value)}
      onKeyDown={onKeyDown}
      className="min-h-11 min-w-0 flex-1 bg-transparent outline-none placeholder:text-muted"
    />
  );
}

type StatusProps = {
  isSearching: boolean;
  isNothing: boolean;
  count: number;
  problem: string | null;
};

function Status({ isSearching, isNothing, count, problem }: StatusProps) {
  return (
    <>
      <p role="status" className={isNothing && !isSearching ? "px-4 pt-4 text-muted" : "sr-only"}>
        {isSearching
          ? "Procurando…"
          : isNothing
            ? "Nada encontrado. Confira a ortografia."
            : counted(count, "opção", "opções")}
      </p>
      {problem ? (
        <p role="alert" className="px-4 pt-4 font-medium text-attention">
          {problem}
        </p>
      ) : null}
    </>
  );
}

function Groups({
  id,
  groups,
  chosen,
  isSlow,
  onChoose,
}: {
  id: string;
  groups: PaletteGroup[];
  chosen: PaletteOption | undefined;
  /** People and posts take long. Their place is before the last group, which is always there. */
  isSlow: boolean;
  onChoose: PaletteProps["onChoose"];
}) {
  const options = groups.flatMap((group) => group.options);
  return groups.map((group) => (
    <Fragment key={group.title}>
      {isSlow && group === groups.at(-1) ? (
        <div aria-hidden="true">
          <Loading shape="options" />
        </div>
      ) : null}
      <div role="group" aria-label={group.title}>
        <p aria-hidden="true" className="px-3 pt-2 pb-1 text-caption font-semibold text-muted">
          {group.title}
        </p>
        {group.options.map((option) => (
          <div
            key={option.key}
            id={`${id}-${options.indexOf(option)}`}
            role="option"
            aria-selected={option === chosen}
            // The press would take the focus out of the field.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => onChoose(option.effect)}
            className="flex min-h-11 cursor-pointer items-center gap-3 rounded-field px-3 py-1.5 hover:bg-sand aria-selected:bg-sand"
          >
            {option.picture}
            <span className="min-w-0 truncate font-semibold">{option.label}</span>
            {option.hint ? (
              <span className="ml-auto min-w-0 truncate text-small text-muted max-sm:hidden">
                {option.hint}
              </span>
            ) : null}
          </div>
        ))}
      </div>
    </Fragment>
  ));
}
